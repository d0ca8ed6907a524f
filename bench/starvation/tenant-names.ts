// Which tenants make noise, for those who make it and those who let it through.

/** Streams that nobody reads; tenants that connect all the time; ten times as many clients as there are open files. */
export type TenantKind = 'stalled' | 'noisy' | 'files';

export const noisyTenants = 100;
export const tenants = 1000;
export const noisyName = (tenant: number): string => `noisy-${tenant}.example`;
export const noisyAuthority = 'apiserver-external.cluster-noisy-0.svc.cluster.local:443';
