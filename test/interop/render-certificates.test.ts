// OpenSSL makes a request from our configuration, and the request carries exactly the planned names.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { formatAddress, parseAddress } from '../../src/core/ip.ts';
import { fileNameOf } from '../../src/render/artefact.ts';
import { hostile } from '../support/hostile-plan.ts';
import { plannedSubjects } from '../support/planned-subjects.ts';
import { needProgram } from '../support/programs.ts';
import { renderedFiles, sample } from '../support/rendered.ts';

for (const subject of [sample, hostile, ...plannedSubjects()]) {
  test(`openssl makes requests with all names (${subject.name})`, (t) => {
    const openssl = needProgram(t, 'openssl');
    if (!openssl) return;
    const files = renderedFiles(t, subject, 'openssl');
    assert.ok(files.length > 0);
    for (const file of files) {
      const planned = subject.plan.certificates.find(({ name }) => file.endsWith(`-${fileNameOf(name)}.cnf`));
      assert.deepEqual(requestedNames(openssl, file), [...(planned?.dnsNames ?? []), ...(planned?.ips ?? [])].sort());
    }
  });
}

function requestedNames(openssl: string, config: string): string[] {
  const directory = path.dirname(config);
  const [key, request] = [path.join(directory, 'key.pem'), path.join(directory, 'request.pem')];
  const options = { stdio: 'pipe' } as const;
  execFileSync(openssl, ['ecparam', '-genkey', '-name', 'prime256v1', '-noout', '-out', key], options);
  execFileSync(openssl, ['req', '-new', '-config', config, '-key', key, '-out', request], options);
  assert.match(readFileSync(request, 'utf8'), /BEGIN CERTIFICATE REQUEST/);
  const text = execFileSync(openssl, ['req', '-in', request, '-noout', '-text', '-verify'], {
    ...options,
    encoding: 'utf8',
  });
  const [, names = ''] = /Subject Alternative Name:[^\n]*\n\s*([^\n]*)/.exec(text) ?? [];
  return names.split(', ').map(plainName).sort();
}

/** OpenSSL writes IPv6 addresses in full. */
const plainName = (name: string): string =>
  name.startsWith('IP Address:')
    ? formatAddress(parseAddress(name.slice('IP Address:'.length)))
    : name.replace(/^DNS:/, '');
