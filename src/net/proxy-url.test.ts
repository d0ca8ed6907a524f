import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CausewayError } from '../core/errors.ts';
import { parseCredentials, parseProxyUrl, proxyName } from './proxy-url.ts';

test('reads scheme, host, port and percent-decoded credentials', () => {
  assert.deepEqual(parseProxyUrl('http://jo%40corp:p%3A%2F%25@proxy.corp.example:3128/'), {
    scheme: 'http',
    host: 'proxy.corp.example',
    port: 3128,
    credentials: { user: 'jo@corp', password: 'p:/%' },
  });
  assert.deepEqual(parseProxyUrl('https://[fd00::1]'), { scheme: 'https', host: 'fd00::1', port: 443 });
});

test('any user and password survive the way through a URL', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 });
  fc.assert(
    fc.property(text, text, (user, password) => {
      const url = `http://${encodeURIComponent(user)}:${encodeURIComponent(password)}@proxy.example:1`;
      assert.deepEqual(parseProxyUrl(url).credentials, { user, password });
    }),
  );
});

test('a name of a proxy never has its credentials', () => {
  assert.equal(proxyName(parseProxyUrl('http://jo:s3cret@[fd00::1]:3128')), 'http://[fd00::1]:3128');
});

test('refuses what is no proxy, and repeats no password', () => {
  const wrong = [
    'proxy.example:3128',
    'socks5://jo:s3cret@proxy.example:1080',
    'jo:s3cret@proxy.example:3128',
    'http://jo:s3cret@proxy.example:3128/path',
    'http://jo:s3cret@:3128',
    'http://jo:s3cret%zz@proxy.example',
    'http://jo:s3cret@evil@proxy.example:99999',
  ];
  for (const text of wrong)
    assert.throws(
      () => parseProxyUrl(text),
      (error: unknown) => error instanceof CausewayError && !`${error.message}${error.fix}`.includes('s3cret'),
      text,
    );
});

test('reads credentials of a file: the first line, the first colon', () => {
  assert.deepEqual(parseCredentials('jo:a:b@%40 \r\n# more\n', 'file'), { user: 'jo', password: 'a:b@%40 ' });
  for (const text of ['', 's3cret', ':s3cret'])
    assert.throws(
      () => parseCredentials(text, 'file'),
      (error: Error) => !error.message.includes('s3cret'),
    );
});
