// Where the peers come from.
import { needPrograms, progressTo } from '../../src/programs/index.ts';
import { needForeign } from '../programs.ts';

export interface PeerPrograms {
  readonly envoy: string;
  readonly haproxy: string;
  readonly nginx: string;
}

const foreign = ['haproxy', 'nginx'] as const;
const none: PeerPrograms = { envoy: '', haproxy: '', nginx: '' };

/** All of them at once and at the start, and not after minutes when the first row needs one. */
export async function findPeers(taking: (peer: string) => boolean): Promise<PeerPrograms> {
  const paths = await needForeign(...foreign.filter(taking));
  const real = taking('envoy') ? await needPrograms(['envoy'], { progress: progressTo(process.stderr) }) : {};
  return { ...none, ...paths, ...real };
}
