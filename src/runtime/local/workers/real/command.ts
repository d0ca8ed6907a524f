// Programs of the system that are run to their end: ip, nft, mount. What they say when they fail is the message.
import { spawn } from 'node:child_process';
import { toolFailed } from './errors.ts';

/** Daemons and tools for the network live where the PATH of a normal user does not look. */
export const systemPath = `${process.env.PATH ?? ''}:/usr/local/sbin:/usr/sbin:/sbin`;

/** What it wrote; rejects when it did not end well. */
export async function command(program: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn(program, args, { env: { PATH: systemPath, LC_ALL: 'C' }, stdio: 'pipe' });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  // A program that ends without reading is known by its exit code.
  child.stdin.on('error', () => {}).end(input);
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw toolFailed(program, args, said.stderr || said.stdout);
  return said.stdout;
}

/** For what may be gone already. */
export const attempt = (program: string, args: readonly string[]): Promise<unknown> =>
  command(program, args).catch(() => undefined);
