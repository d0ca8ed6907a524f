import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterLogin, tokenIn } from './after-login.ts';

test('one gets to the page one came for', () => {
  assert.equal(afterLogin('?next=%2Fnetwork%2Fdns%3Fq%3Dshop'), '/network/dns?q=shop');
  assert.equal(afterLogin(''), '/');
});

test('a crafted link leads nowhere else, and not back to the login', () => {
  const crafted = [
    'https://evil.example/',
    '//evil.example/',
    '/.//evil.example',
    '/a/..//evil.example',
    '/\\evil.example',
  ];
  for (const next of [...crafted, 'javascript:alert(1)', '/login'])
    assert.equal(afterLogin(`?next=${encodeURIComponent(next)}`), '/', next);
});

test('the token is found in the address that was printed', () => {
  assert.equal(tokenIn(' http://127.0.0.1:8800/?token=abc '), 'abc');
  assert.equal(tokenIn('abc'), 'abc');
});
