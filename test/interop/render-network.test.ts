// Packet filter, name server, proxy and router read what we render.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { hostile } from '../support/hostile-plan.ts';
import { plannedSubjects } from '../support/planned-subjects.ts';
import { needProgram } from '../support/programs.ts';
import { renderedFile, renderedFiles, sample, scratchDirectory } from '../support/rendered.ts';

interface Verdict {
  readonly ok: boolean;
  readonly said: string;
}

function ask(program: string, ...args: string[]): Verdict {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return { ok: status === 0, said: `${stdout}${stderr}` };
}
const accepts = ({ ok, said }: Verdict): void => assert.ok(ok, said);
const refuses = ({ ok, said }: Verdict): void => assert.ok(!ok, said);

const subjects = [sample, hostile, ...plannedSubjects()];

/** nft asks the kernel, which only answers root; a user namespace is enough for that. */
function nftCheck(nft: string, file: string, ...options: string[]): Verdict {
  const command = [nft, '-c', ...options, '-f', file];
  const direct = ask(nft, ...command.slice(1));
  return direct.said.includes('Operation not permitted') ? ask('unshare', '-r', '-n', ...command) : direct;
}

test('nft reads addresses from a file of one’s own, as the header shows it', (t) => {
  const nft = needProgram(t, 'nft');
  if (!nft) return;
  const ruleset = renderedFile(t, sample, 'nftables');
  const [example = ''] = /(?<=^# )add element .*$/m.exec(readFileSync(ruleset, 'utf8')) ?? [];
  const directory = scratchDirectory(t);
  const own = path.join(directory, 'causeway/nftables.d');
  mkdirSync(own, { recursive: true });
  writeFileSync(path.join(own, 'local.nft'), `${example}\n`);
  accepts(nftCheck(nft, ruleset, '-I', directory));
  writeFileSync(path.join(own, 'local.nft'), 'add element inet causeway no-such-set { 192.0.2.1 }\n');
  refuses(nftCheck(nft, ruleset, '-I', directory));
});

for (const subject of subjects) {
  test(`nft takes the ruleset (${subject.name})`, (t) => {
    const nft = needProgram(t, 'nft');
    if (nft) accepts(nftCheck(nft, renderedFile(t, subject, 'nftables')));
  });

  test(`named-checkzone takes the zone (${subject.name})`, (t) => {
    const checkzone = needProgram(t, 'named-checkzone');
    if (checkzone) accepts(ask(checkzone, '-i', 'local', subject.plan.dns.zone, renderedFile(t, subject, 'zone')));
  });

  test(`squid parses the access rules without a warning (${subject.name})`, (t) => {
    const squid = needProgram(t, 'squid');
    if (squid) accepts(squidCheck(t, squid, renderedFile(t, subject, 'squid')));
  });

  test(`FRR takes the router configuration (${subject.name})`, (t) => {
    const vtysh = needProgram(t, 'vtysh');
    if (!vtysh) return;
    for (const file of renderedFiles(t, subject, 'prefix-list')) accepts(ask(vtysh, '-C', '-f', file));
  });
}

function squidCheck(t: TestContext, squid: string, fragment: string): Verdict {
  const file = path.join(scratchDirectory(t), 'squid.conf');
  writeFileSync(file, `http_port 3128\nvisible_hostname test\ninclude ${fragment}\nhttp_access deny all\n`);
  const { ok, said } = ask(squid, '-k', 'parse', '-f', file);
  // Squid calls a list with overlapping entries an error, and goes on.
  return { ok: ok && !/\b(ERROR|WARNING|FATAL)\b/.test(said), said };
}

test('the judges refuse what is wrong', (t) => {
  const nft = needProgram(t, 'nft');
  const checkzone = needProgram(t, 'named-checkzone');
  const squid = needProgram(t, 'squid');
  const vtysh = needProgram(t, 'vtysh');
  const spoilt = (artefact: string, line: string): string => {
    const file = renderedFile(t, sample, artefact);
    appendFileSync(file, `${line}\n`);
    return file;
  };
  const overlap =
    'table inet causeway { set users.v4 { type ipv4_addr; flags interval; elements = { 10.0.0.0/8, 10.1.0.0/16 }; }; }';
  if (nft) refuses(nftCheck(nft, spoilt('nftables', overlap)));
  if (checkzone)
    refuses(
      ask(checkzone, '-i', 'local', sample.plan.dns.zone, spoilt('zone', '@ 300 IN CNAME elsewhere.example.net.')),
    );
  if (squid) refuses(squidCheck(t, squid, spoilt('squid', 'acl causeway_names_1 dstdomain cdn01.quay.io')));
  if (vtysh) refuses(ask(vtysh, '-C', '-f', spoilt('prefix-list', 'ip prefix-list x seq 5 permit nonsense')));
});
