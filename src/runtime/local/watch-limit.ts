// Programs of Kubernetes that get no inotify instance start all the same, but may not see that their certificates were
// renewed.
import { inotifyLimit, inotifySettingFor } from '../../sys/inotify.ts';

/** Of one control plane, as counted: API server 7, controller manager 6, scheduler 1. */
const perCluster = 14;
/** For this process, and for other programs of the same person. */
const others = 16;

/** What to say where so many clusters need more than there are; undefined where all is well, or nobody can tell. */
export function tooFewWatches(clusters: number, limit = inotifyLimit()): string | undefined {
  const needed = clusters * perCluster + others;
  if (limit === undefined || needed <= limit) return undefined;
  return `${clusters} control planes need about ${needed} inotify instances and this machine gives ${limit} to a user, so some may not notice renewed certificates: sysctl -w ${inotifySettingFor(needed)}`;
}
