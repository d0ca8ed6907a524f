import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { remoteOfEndpoint, remoteOfGit, remoteOfUrl } from './remote.ts';

test('a URL without a port has the port of its scheme', () => {
  deepEqual(remoteOfUrl('https://vcenter.example.com/sdk'), { host: 'vcenter.example.com', port: 443 });
  deepEqual(remoteOfUrl('http://proxy.example.com'), { host: 'proxy.example.com', port: 80 });
  deepEqual(remoteOfUrl('https://[2001:db8::1]:8443'), { host: '2001:db8::1', port: 8443 });
});

test('an endpoint may be an IPv6 address in brackets', () => {
  deepEqual(remoteOfEndpoint('[2001:db8::1]:5000'), { host: '2001:db8::1', port: 5000 });
  deepEqual(remoteOfEndpoint('172.20.0.2:5000'), { host: '172.20.0.2', port: 5000 });
});

test('git addresses are understood in all their forms', () => {
  deepEqual(remoteOfGit('git@git.example.com:team/config.git'), { host: 'git.example.com', port: 22 });
  deepEqual(remoteOfGit('ssh://git@git.example.com:2222/config.git'), { host: 'git.example.com', port: 2222 });
  deepEqual(remoteOfGit('https://git.example.com/config.git'), { host: 'git.example.com', port: 443 });
  equal(remoteOfGit('/srv/git/config.git'), undefined);
});
