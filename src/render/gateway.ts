// What the gateway of each seed runs by: causeway gateway --snapshot takes the file as it is.
import { type Artefact, fileNameOf } from './artefact.ts';

export const gateway: Artefact = {
  name: 'gateway',
  title: 'Gateway snapshots',
  files: (plan) =>
    Object.entries(plan.gateway).map(([seed, snapshot]) => ({
      path: `gateway/${fileNameOf(seed)}/snapshot.json`,
      text: `${JSON.stringify(snapshot, null, 2)}\n`,
    })),
};
