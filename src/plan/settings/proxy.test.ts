import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { oneCluster, type Specs } from '../testing/one-cluster.ts';
import { originText, type Setting } from './origin.ts';

const textOf = (setting: Setting | undefined): string | undefined => setting && originText(setting.from);
const credentials = { env: 'PROXY_LOGIN' };
const trustBundle = { file: '/etc/proxy-ca.pem' };
const corporate = { https: 'http://proxy.example.com:3128', credentials, trustBundle, connectPorts: [443] };
const resolved = (specs: Specs) => {
  const { effective, settings } = oneCluster(specs);
  return { ...effective, settings };
};

describe('the proxy', () => {
  it('is inherited with everything that belongs to it', () => {
    assert.deepEqual(resolved({ platform: { proxy: corporate } }).proxy, { ...corporate, from: 'Platform/sample' });
  });

  it('is inherited as one block, so credentials never travel to another server', () => {
    const { proxy } = resolved({
      platform: { proxy: corporate },
      datacenter: { proxy: { http: 'http://other.example.com:8080' } },
    });
    assert.deepEqual(proxy, { http: 'http://other.example.com:8080', from: 'Datacenter/dc1' });
  });

  it('of a cluster wins over all above, and says what it overrode without secrets', () => {
    const { settings } = resolved({
      platform: { proxy: corporate },
      seed: { proxy: { enabled: false } },
      cluster: { proxy: { https: 'http://own.example.com:3128' } },
    });
    assert.deepEqual(settings.proxy, {
      value: { https: 'http://own.example.com:3128' },
      from: { level: 'Cluster', name: 'web', field: 'spec.proxy' },
      overrode: [
        { value: 'none', from: { level: 'Seed', name: 'west', field: 'spec.proxy' } },
        { value: corporate, from: { level: 'Platform', name: 'sample', field: 'spec.proxy' } },
      ],
    });
  });

  it('of an empty block falls through to the one above', () => {
    assert.equal(resolved({ platform: { proxy: corporate }, cluster: { proxy: {} } }).proxy?.from, 'Platform/sample');
  });

  it('can be switched off below', () => {
    const { proxy, settings } = resolved({ platform: { proxy: corporate }, datacenter: { proxy: { enabled: false } } });
    assert.equal(proxy, undefined);
    assert.equal(settings.proxy?.value, 'none');
    assert.deepEqual(settings.proxy?.from, { level: 'Datacenter', name: 'dc1', field: 'spec.proxy' });
  });

  it('can be switched on again below, with the server from above', () => {
    const { proxy, settings } = resolved({
      platform: { proxy: corporate },
      seed: { proxy: { enabled: false } },
      cluster: { proxy: { enabled: true } },
    });
    assert.deepEqual(proxy, { ...corporate, from: 'Platform/sample' });
    assert.deepEqual(settings.proxy?.from, { level: 'Platform', name: 'sample', field: 'spec.proxy' });
  });

  it('does not exist because somebody switches it on', () => {
    assert.equal(resolved({ platform: { proxy: { enabled: true } } }).proxy, undefined);
  });
});

describe('exemptions', () => {
  it('add up over all documents, those of the installation first', () => {
    const { noProxy, settings } = resolved({
      platform: { proxy: { ...corporate, noProxy: ['corp.example.com', '10.0.0.0/8'] } },
      datacenter: { proxy: { noProxy: ['10.0.0.0/8', 'dc.example.com'] } },
      cluster: { proxy: { noProxy: ['app.example.com'] } },
    });
    assert.deepEqual(noProxy, ['corp.example.com', '10.0.0.0/8', 'dc.example.com', 'app.example.com']);
    assert.equal(
      textOf(settings['proxy.noProxy']),
      'Platform/sample spec.proxy.noProxy + Datacenter/dc1 spec.proxy.noProxy + Cluster/web spec.proxy.noProxy',
    );
  });

  it('do not replace the server they belong to', () => {
    const { proxy } = resolved({ platform: { proxy: corporate }, cluster: { proxy: { noProxy: ['x.example.com'] } } });
    assert.equal(proxy?.from, 'Platform/sample');
  });
});
