import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pkiFiles } from './file-store.ts';
import { gatewayDirectory } from './gateway-keys.ts';
import { clusterHome, type PlatformHome } from './home.ts';

/**
 * When a certificate of the plan ends (milliseconds), read from the file that is served. Undefined where it is not made
 * yet, or somebody else's.
 */
export function certificateEnd(home: PlatformHome, name: string): number | undefined {
  const file = fileOf(home, name);
  if (file === undefined) return undefined;
  try {
    return new X509Certificate(readFileSync(file)).validToDate.getTime();
  } catch {
    return undefined;
  }
}

/** By its name in the plan: gateway-SEED, apiserver-CLUSTER, konnectivity-CLUSTER. */
function fileOf(home: PlatformHome, name: string): string | undefined {
  const [, kind, owner = ''] = /^(gateway|apiserver|konnectivity)-(.+)$/.exec(name) ?? [];
  if (kind === undefined) return undefined;
  if (kind === 'gateway') return path.join(gatewayDirectory(home, owner), 'gateway.crt');
  const files = pkiFiles(clusterHome(home, owner).pki);
  return kind === 'apiserver' ? files.apiServer.cert : files.konnectivity.cert;
}
