// Who issues the certificate of the platform, as the manifests decided it.
import type { Platform } from '../../model/schema/index.ts';
import type { Certificate } from '../schema/index.ts';

export type Issued = Pick<Certificate, 'issuer' | 'issuedBy'>;

const letsEncrypt = 'Let’s Encrypt';
const acmeServer = (server: string | undefined): string => (server === undefined ? letsEncrypt : new URL(server).host);

export function platformIssuer({ spec: { certificates } }: Platform): Issued {
  if (certificates === undefined) return { issuer: 'undecided', issuedBy: 'not decided yet' };
  const { acmeHTTP01, acmeDNS01, issuer, file, ca } = certificates;
  if (acmeHTTP01 !== undefined) {
    return { issuer: 'acme-http01', issuedBy: `${acmeServer(acmeHTTP01.server)}, by ACME HTTP-01` };
  }
  if (acmeDNS01 !== undefined) {
    const by = `by ACME DNS-01 through ${acmeDNS01.provider}`;
    return { issuer: 'acme-dns01', issuedBy: `${acmeServer(acmeDNS01.server)}, ${by}` };
  }
  if (issuer !== undefined) {
    return { issuer: 'issuer', issuedBy: `${issuer.kind ?? 'ClusterIssuer'} ${issuer.name} of cert-manager` };
  }
  if (file !== undefined) return { issuer: 'file', issuedBy: 'whoever supplies the file' };
  if (ca !== undefined) return { issuer: 'ca', issuedBy: 'the own CA' };
  return { issuer: 'self-signed', issuedBy: 'itself; every client must be given it' };
}

export const gatewayIssuer: Issued = {
  issuer: 'gateway-ca',
  issuedBy: 'the CA of the gateway, which node agents are given',
};
const clusterIssuer: Issued = { issuer: 'cluster-ca', issuedBy: 'the CA of the cluster' };
const foreignIssuer: Issued = { issuer: 'cluster-ca', issuedBy: 'whoever runs the control plane, with its CA' };
export const controlPlaneIssuer = (isExternal: boolean): Issued => (isExternal ? foreignIssuer : clusterIssuer);
