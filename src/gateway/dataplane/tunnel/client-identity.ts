// Client certificates of agents: who they are for, and whether their authority is still one of ours.
import { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';

/** Organisation in the subject; without it a certificate of the same authority is for something else. */
export const tunnelOrganisation = 'causeway:tunnel';

export interface ClientIdentity {
  readonly cluster: string;
  readonly expiresAt: number;
  readonly certificate: X509Certificate;
  /** Of the authorities that it was last checked with. */
  checkedWith: readonly string[];
}

/** Undefined for none, and for one that TLS did not accept. */
export function identityOf(socket: TLSSocket, authorities: readonly string[]): ClientIdentity | undefined {
  const { raw } = socket.getPeerCertificate();
  if (!socket.authorized || raw === undefined) return undefined;
  const certificate = new X509Certificate(raw);
  const { O: organisation, CN: cluster } = certificate.toLegacyObject().subject as unknown as Record<string, unknown>;
  if (organisation !== tunnelOrganisation || typeof cluster !== 'string') return undefined;
  return { cluster, expiresAt: certificate.validToDate.getTime(), certificate, checkedWith: authorities };
}

/** TLS has judged at the handshake; when authorities have changed since, the signature is looked at again. */
export function isStillTrusted(identity: ClientIdentity, authorities: readonly string[]): boolean {
  if (identity.checkedWith === authorities) return true;
  if (!authorities.some((pem) => signedBy(identity.certificate, pem))) return false;
  identity.checkedWith = authorities;
  return true;
}

function signedBy(certificate: X509Certificate, pem: string): boolean {
  const authority = new X509Certificate(pem);
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}
