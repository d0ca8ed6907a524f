import type { Certificate, Plan } from '../../plan/schema/index.ts';

/** Clusters and gateways have CAs of their own: what those issue, nobody is asked for. */
const isOwn = ({ issuer }: Certificate): boolean => issuer === 'cluster-ca' || issuer === 'gateway-ca';

/** Certificates that somebody has to ask for. */
export const requestedCertificates = (plan: Plan): Certificate[] =>
  plan.certificates.filter((certificate) => !isOwn(certificate));

export const ownCertificates = (plan: Plan): Certificate[] => plan.certificates.filter(isOwn);

export const hasNames = ({ dnsNames, ips }: Certificate): boolean => dnsNames.length + ips.length > 0;

/** A common name has at most 64 characters (RFC 5280); clients look at the alternative names only. */
export const commonNameOf = ({ dnsNames }: Certificate): string | undefined =>
  dnsNames.find((name) => name.length <= 64);
