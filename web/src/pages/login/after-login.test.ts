import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterLogin, linkIn, tokenIn } from './after-login.ts';

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

test('an address gives its token away, and goes on without it', () => {
  const at = (address: string) => linkIn(new URL(address, 'http://127.0.0.1:8800'));
  assert.equal(at('/clusters?q=token'), undefined);
  assert.deepEqual(at('/?token=abc'), { token: 'abc', page: '/' });
  assert.deepEqual(at('/network/dns?q=shop&token=abc'), { token: 'abc', page: '/network/dns?q=shop' });
  // As a provider's way back has it.
  assert.deepEqual(at('/login?next=%2Fnetwork%2Fdns%3Fq%3Dshop#token=abc'), {
    token: 'abc',
    page: '/network/dns?q=shop',
  });
  assert.deepEqual(at('/login?next=https://evil.example/#token=abc'), { token: 'abc', page: '/' });
});
