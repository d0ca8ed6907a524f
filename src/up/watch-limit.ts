// The kernel gives each user a number of file watches, by default 128. Programs of Kubernetes that get none start all the
// same, but may not see that their certificates were renewed.
import { readFileSync } from 'node:fs';

/** Of one control plane, as counted: API server 7, controller manager 6, scheduler 1. */
const perCluster = 14;
/** For this process, and for other programs of the same person. */
const others = 16;

const setting = 'fs.inotify.max_user_instances';

/** What to say where so many clusters need more than there are; undefined where all is well, or nobody can tell. */
export function tooFewWatches(clusters: number, limit = readLimit()): string | undefined {
  const needed = clusters * perCluster + others;
  if (limit === undefined || needed <= limit) return undefined;
  const enough = 2 ** Math.ceil(Math.log2(2 * needed));
  return `${clusters} control planes need about ${needed} file watches and this machine gives ${limit} to a user, so some may not notice renewed certificates: set ${setting}=${enough} with sysctl`;
}

function readLimit(): number | undefined {
  try {
    return Number(readFileSync(`/proc/sys/${setting.replaceAll('.', '/')}`, 'utf8'));
  } catch {
    return undefined;
  }
}
