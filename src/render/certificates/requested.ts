import type { Certificate, Plan } from '../../plan/schema/index.ts';

/** Certificates that somebody has to ask for; those of a cluster come from the cluster's own CA. */
export const requestedCertificates = (plan: Plan): Certificate[] =>
  plan.certificates.filter((certificate) => certificate.issuer !== 'cluster-ca');

export const ownCertificates = (plan: Plan): Certificate[] =>
  plan.certificates.filter((certificate) => certificate.issuer === 'cluster-ca');

export const hasNames = ({ dnsNames, ips }: Certificate): boolean => dnsNames.length + ips.length > 0;

/** A common name has at most 64 characters (RFC 5280); clients look at the alternative names only. */
export const commonNameOf = ({ dnsNames }: Certificate): string | undefined =>
  dnsNames.find((name) => name.length <= 64);
