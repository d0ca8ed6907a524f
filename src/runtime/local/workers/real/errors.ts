// Why there can be no real worker on this machine, in words for people.
import { CausewayError } from '../../../../core/errors.ts';

const cannot = (code: string, message: string, fix: string): CausewayError =>
  new CausewayError(`CW-REAL-${code}`, `a real worker cannot run here: ${message}`, fix);

const demo = 'or go on with the demo workers, which need none of this';

export const notLinux = (system: string): CausewayError =>
  cannot('SYSTEM', `it needs Linux, and this is ${system}`, `use a Linux machine, ${demo}`);

export const notRoot = (): CausewayError =>
  cannot('ROOT', 'network namespaces, mounts and control groups need root', `start causeway as root (sudo), ${demo}`);

export const toolMissing = (tool: string, debianPackage: string): CausewayError =>
  cannot('PROGRAM', `there is no program "${tool}"`, `apt-get install ${debianPackage}, ${demo}`);

export const noNamespaces = (why: string): CausewayError =>
  cannot(
    'NAMESPACE',
    `the system does not let us make a network namespace (${why})`,
    `inside a container give it CAP_SYS_ADMIN and CAP_NET_ADMIN (docker run --privileged), ${demo}`,
  );

export const noControlGroups = (why: string): CausewayError =>
  cannot('CGROUPS', `control groups cannot be used (${why})`, `mount them writable below /sys/fs/cgroup, ${demo}`);

export const noInotify = ({ message, fix }: { readonly message: string; readonly fix: string }): CausewayError =>
  cannot('INOTIFY', message, `${fix}, ${demo}`);

export const noAddress = (place: string): CausewayError =>
  cannot(
    'ADDRESS',
    `the plan has no IPv4 address of ${place}`,
    'give it one in the manifests; causeway plan shows places',
  );

export const toolFailed = (program: string, args: readonly string[], said: string): CausewayError =>
  new CausewayError(
    'CW-REAL-TOOL',
    `${[program, ...args].join(' ')} failed: ${said.trim().slice(-500) || 'it said nothing'}`,
    'see what it says; the next start makes the worker anew',
  );
