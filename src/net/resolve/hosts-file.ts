// What /etc/hosts says: names and their addresses, in the order of the file.
import { isIP } from 'node:net';
import { getOrAdd } from '../../core/collections.ts';

export type Hosts = ReadonlyMap<string, readonly string[]>;

export function readHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) {
      const known = getOrAdd(hosts, name.toLowerCase(), () => []);
      if (!known.includes(address)) known.push(address);
    }
  }
  return hosts;
}
