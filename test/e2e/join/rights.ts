// What a process may do, as the kernel has it.
import type { Systemd } from '../../support/systemd.ts';

export interface Rights {
  readonly uid: number;
  readonly groups: readonly string[];
  /** Permitted, effective, bounding, ambient. */
  readonly capabilities: readonly number[];
  readonly noNewPrivileges: number;
  readonly seccomp: number;
}

export async function rightsOf(run: Systemd['run'], pid: string): Promise<Rights> {
  const status = await run('cat', `/proc/${pid}/status`);
  const value = (name: string): string => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? `no ${name}`;
  return {
    uid: Number(value('Uid').split(/\s/)[0]),
    groups: [value('Gid').split(/\s/)[0] ?? '', ...value('Groups').trim().split(/\s+/)].filter(Boolean),
    capabilities: ['CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map((name) => Number.parseInt(value(name), 16)),
    noNewPrivileges: Number(value('NoNewPrivs')),
    seccomp: Number(value('Seccomp')),
  };
}

/** A command with the rights of a process. */
export const asProcess = ({ uid, groups }: Rights): string[] => [
  ...['setpriv', `--reuid=${uid}`, `--regid=${groups[0]}`, `--groups=${groups.join(',')}`, '--no-new-privs'],
  ...['--bounding-set=-all', '--inh-caps=-all'],
];
