// Every certificate with one list of names, where it is shown, and who issues it.
import type { PlanContext } from '../context.ts';
import type { Certificate } from '../schema/index.ts';
import { clusterCertificates } from './cluster.ts';
import { gatewayCertificates, platformCertificate } from './platform.ts';

export function planCertificates(ctx: PlanContext): Certificate[] {
  const certificates = [platformCertificate(ctx), ...gatewayCertificates(ctx)];
  for (const c of ctx.clusters) certificates.push(...clusterCertificates(c));
  return certificates;
}
