import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { createAuthority, issueServer, validFor } from '../../pki/index.ts';
import { pagePlace } from './page-flags.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'causeway-page-flags-'));
after(() => rmSync(directory, { recursive: true, force: true }));
const tls = { tlsCert: path.join(directory, 'page.crt'), tlsKey: path.join(directory, 'page.key') };
const validity = validFor(new Date(), 1);
const names = ['*.example.com', 'page.example.com', '192.0.2.7'];
const issued = await issueServer(await createAuthority('test', validity), names, validity);
writeFileSync(tls.tlsCert, issued.certificate);
writeFileSync(tls.tlsKey, issued.key);
const everywhere = { apiAddress: '0.0.0.0' };

test('people are told a name of the certificate, and all of them lead to the page', () => {
  const place = pagePlace({ ...everywhere, ...tls, url: 'https://proxy.example.com' });
  assert.equal(place.name, 'page.example.com');
  assert.deepEqual(place.names, ['0.0.0.0', 'page.example.com', '192.0.2.7', 'proxy.example.com']);
  assert.equal(pagePlace({ apiAddress: '192.0.2.7', ...tls }).name, '192.0.2.7');
});

test('what is missing or does not fit is told before anything starts', () => {
  const cases = [
    [everywhere, 'CW-API-OPEN', /without TLS/],
    [{ ...everywhere, tlsCert: tls.tlsCert }, 'CW-API-CERTIFICATE', /--tls-cert is of no use alone/],
    [{ ...everywhere, tlsKey: tls.tlsKey }, 'CW-API-CERTIFICATE', /--tls-key is of no use alone/],
    [{ ...everywhere, ...tls, tlsKey: tls.tlsCert }, 'CW-API-CERTIFICATE', /no certificate and its key/],
    [{ ...everywhere, ...tls, tlsCert: '/not/there' }, 'CW-API-CERTIFICATE', /no such file/],
    [{ apiAddress: '127.0.0.1', url: 'somewhere' }, 'CW-CLI-URL', /"somewhere"/],
    [{ apiAddress: '127.0.0.1', url: 'ftp://example.com' }, 'CW-CLI-URL', /ftp/],
    [{ apiAddress: '127.0.0.1', trustedProxy: ['balancer'] }, 'CW-CLI-NETWORK', /"balancer"/],
    [{ apiAddress: '127.0.0.1', port: '65536' }, 'CW-CLI-PORT', /65536/],
  ] as const;
  for (const [flags, code, message] of cases) assert.throws(() => pagePlace(flags), { code, message });
});
