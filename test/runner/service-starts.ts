import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

// Debian starts a daemon when its package is installed, unless this program says no (101, "forbidden by policy").
const policy = '/usr/sbin/policy-rc.d';
const original = `${policy}.before-causeway`;
const signature = '# Causeway: no services while packages for tests are installed.';
// It forbids only as long as we live, so that one left behind by a killed run harms nobody.
const ours = `#!/bin/sh\n${signature}\n[ ! -d /proc/${process.pid} ] || exit 101\n`;

/** Runs something while packages may not start services; the machine's own policy is back afterwards. */
export async function withoutServiceStarts(action: () => void | Promise<void>): Promise<void> {
  // With a listener an interrupt ends the installer, not us, and the policy is put back.
  const interrupted = (): void => {
    process.exitCode = 130;
  };
  process.on('SIGINT', interrupted);
  forbidStarts();
  try {
    await action();
  } finally {
    allowStarts();
    process.off('SIGINT', interrupted);
  }
}

// A run that was killed leaves our policy behind; that one is not worth keeping.
const policyIsOurs = (): boolean => existsSync(policy) && readFileSync(policy, 'utf8').includes(signature);

function forbidStarts(): void {
  if (existsSync(policy) && !policyIsOurs()) renameSync(policy, original);
  writeFileSync(policy, ours, { mode: 0o755 });
}

function allowStarts(): void {
  rmSync(policy, { force: true });
  if (existsSync(original)) renameSync(original, policy);
}
