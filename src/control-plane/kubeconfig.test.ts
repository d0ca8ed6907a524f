import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { type KubeconfigUser, kubeconfigText } from './kubeconfig.ts';

const access = { server: 'https://127.0.0.1:6443' };
const read = (...args: Parameters<typeof kubeconfigText>) => parse(kubeconfigText(...args));
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a kubeconfig', () => {
  it('has one context, and uses it', () => {
    const names = { cluster: 'web', user: 'web-admin' };
    const config = read(access, 'CA', { token: 't' }, names);
    assert.equal(config['current-context'], 'web-admin@web');
    assert.deepEqual(config.contexts, [{ name: 'web-admin@web', context: names }]);
    assert.deepEqual(config.clusters, [
      { name: 'web', cluster: { server: access.server, 'certificate-authority-data': base64('CA') } },
    ]);
  });

  it('goes by another name and through a proxy where that is the way', () => {
    const [{ cluster }] = read({ ...access, serverName: 'web.example.com', proxy: 'http://p:3128' }, 'CA', {
      token: 't',
    }).clusters as [{ cluster: Record<string, string> }];
    assert.equal(cluster['tls-server-name'], 'web.example.com');
    assert.equal(cluster['proxy-url'], 'http://p:3128');
  });

  const users: [KubeconfigUser, object][] = [
    [{ token: 't' }, { token: 't' }],
    [{ tokenFile: '/t' }, { tokenFile: '/t' }],
    [
      { certFile: '/c', keyFile: '/k' },
      { 'client-certificate': '/c', 'client-key': '/k' },
    ],
    [
      { cert: 'C', key: 'K' },
      { 'client-certificate-data': base64('C'), 'client-key-data': base64('K') },
    ],
  ];
  for (const [user, written] of users)
    it(`shows ${Object.keys(user).join(' and ')}`, () => {
      assert.deepEqual(read(access, { file: '/ca' }, user).users[0].user, written);
      assert.equal(read(access, { file: '/ca' }, user).clusters[0].cluster['certificate-authority'], '/ca');
    });
});
