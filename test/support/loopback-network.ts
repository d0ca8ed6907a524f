// Part of 127.0.0.0/8 for one platform of a test: several may run side by side, also of different test runs.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isRunning } from '../../src/sys/is-running.ts';

export interface LoopbackNetwork {
  /** 127.X, which all its addresses begin with. */
  readonly network: string;
  readonly release: () => void;
}

/** From 60 to 249: nothing else in the template. */
const [firstOctet, octets] = [60, 190];

/** One that no other running test has: two platforms on the same addresses take each other's ports. */
export function claimNetwork(): LoopbackNetwork {
  const start = Math.floor(Math.random() * octets);
  for (let step = 0; step < octets; step++) {
    const network = `127.${firstOctet + ((start + step) % octets)}`;
    const claim = path.join(tmpdir(), `causeway-test-network-${network}`);
    if (claimed(claim)) return { network, release: () => rmSync(claim, { force: true }) };
  }
  throw new Error(`all ${octets} loopback networks for tests are taken: remove ${tmpdir()}/causeway-test-network-*`);
}

function claimed(claim: string): boolean {
  try {
    writeFileSync(claim, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch {
    // The next one who comes may have it: two who find a dead owner at once must not both take it.
    if (!isRunning(Number(ownerOf(claim)))) rmSync(claim, { force: true });
    return false;
  }
}

function ownerOf(claim: string): string {
  try {
    return readFileSync(claim, 'utf8');
  } catch {
    // Released meanwhile. Of 0, `kill` says that it runs, so nobody's claim is removed.
    return '0';
  }
}
