import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertGolden } from '../../../test/support/golden.ts';
import {
  type ComponentSpec,
  type ControlPlaneInput,
  controlPlaneWorkloads,
  type WorkloadInput,
} from '../../control-plane/index.ts';
import { workloadInput } from '../../control-plane/testing/input.ts';
import { specHash } from './launch.ts';
import { resolveWorkloads } from './resolve-workload.ts';
import { homeIn, localInput } from './testing/place.ts';

const home = { ...homeIn('/home'), pki: '/home/pki' };
const componentsOf = (changes: Partial<ControlPlaneInput> = {}): ComponentSpec[] =>
  resolved(workloadInput(localInput(home, changes)));
const resolved = (input: WorkloadInput): ComponentSpec[] =>
  resolveWorkloads(controlPlaneWorkloads(input), localInput(home));
const one = (name: string, changes: Partial<ControlPlaneInput> = {}): ComponentSpec => {
  const found = componentsOf(changes).find((spec) => spec.name === name);
  assert.ok(found, name);
  return found;
};
const flag = (name: string, wanted: string, changes?: Partial<ControlPlaneInput>): string | undefined =>
  one(name, changes)
    .args.find((arg) => arg.startsWith(`--${wanted}=`))
    ?.slice(wanted.length + 3);
const fileOf = (name: string, file: string, changes?: Partial<ControlPlaneInput>) =>
  JSON.parse(one(name, changes).files?.find(({ path }) => path.endsWith(file))?.text ?? '');

describe('the components of a control plane', () => {
  it('are exactly these, with these flags and files', () => {
    assertGolden(new URL('golden/components.json', import.meta.url), `${JSON.stringify(componentsOf(), null, 2)}\n`);
  });

  it('have the hashes that they always had, so that those that run are taken over and not restarted', () => {
    // Another version of a program is another hash, and no matter of this test.
    const hashed = componentsOf().map((spec) => [
      spec.name,
      specHash({ ...spec, program: { ...spec.program, version: '1.0.0' } as ComponentSpec['program'] }),
    ]);
    assert.deepEqual(hashed, [
      ['etcd', '351c419412c53d314d8872f22d5afd85'],
      ['kube-apiserver', 'e87be2ae93845255e1ea2c98d7916551'],
      ['konnectivity-server', '6b73b02fceeaaa9d0c7128dccf87ff2f'],
      ['kube-controller-manager', '939424c8e20a4c467c143163c91c6de3'],
      ['kube-scheduler', 'cc24f5973b44b9bee63799b4107316dd'],
    ]);
  });

  it('need nothing that is not there, and in the end the store', () => {
    const names = componentsOf().map(({ name }) => name);
    for (const { name, needs = [], after = [] } of componentsOf()) {
      const others = [...needs, ...after];
      assert.ok(
        others.every((other) => names.includes(other)),
        name,
      );
      if (name !== 'etcd') assert.equal(others.length, 1, name);
    }
  });

  it('have no secret on their command line, in their environment or in what the driver writes for them', () => {
    const texts = JSON.stringify(componentsOf({ oidc: { issuer: 'https://id.example.com', clientId: 'web' } }));
    assert.doesNotMatch(texts, /PRIVATE KEY|client-key-data|"secret"|password/);
  });
});

describe('more than one of something', () => {
  it('is refused: this machine runs one of each', () => {
    const input = workloadInput(localInput(home), { etcd: 3, controllers: 1 });
    assert.throws(() => resolved(input), /etcd is to run 3 times/);
  });
});

describe('the API server', () => {
  it('is public only by its address and names: it listens on loopback, on its inner port', () => {
    assert.equal(flag('kube-apiserver', 'bind-address'), '127.0.0.1');
    assert.equal(flag('kube-apiserver', 'secure-port'), '21004');
    assert.equal(flag('kube-apiserver', 'advertise-address'), '100.64.30.10');
    assert.equal(flag('kube-apiserver', 'external-hostname'), 'web.west.example.com');
    assert.equal(one('kube-apiserver').args.filter((arg) => arg.startsWith('--secure-port')).length, 1);
  });

  it('starts before its public address exists', () => {
    const input = localInput(home);
    const { 'advertise-address': _, ...apiServerFlags } = input.endpoint.apiServerFlags;
    const endpoint = { ...input.endpoint, apiServerFlags };
    assert.equal(flag('kube-apiserver', 'advertise-address', { endpoint }), '127.0.0.1');
  });

  it('is of the version that was asked for, and the store is not', () => {
    assert.deepEqual(one('kube-apiserver', { kubernetesVersion: '1.36.1' }).program, {
      name: 'kube-apiserver',
      version: '1.36.1',
    });
    assert.deepEqual(one('etcd', { kubernetesVersion: '1.36.1' }), one('etcd'));
  });

  it('believes the platform’s provider, whose users cannot pose as anybody of the system', () => {
    const oidc = { issuer: 'https://id.example.com', clientId: 'web', ca: 'PEM' };
    const { jwt, apiVersion } = fileOf('kube-apiserver', 'authentication.json', { oidc });
    assert.deepEqual(jwt[0].issuer, { url: oidc.issuer, audiences: ['web'], certificateAuthority: 'PEM' });
    assert.deepEqual([jwt[0].claimMappings.username.prefix, jwt[0].claimMappings.groups.prefix], ['oidc:', 'oidc:']);
    assert.equal(apiVersion, 'apiserver.config.k8s.io/v1');
    const older = fileOf('kube-apiserver', 'authentication.json', { kubernetesVersion: '1.33.13' });
    assert.deepEqual([older.apiVersion, older.jwt], ['apiserver.config.k8s.io/v1beta1', []]);
  });

  it('takes kubelets by the authority that signs for them and for nobody else', () => {
    const input = { ...workloadInput(localInput(home)), verifiesKubelets: true };
    const args = resolved(input).flatMap((spec) => spec.args);
    const [asked] = args.filter((arg) => arg.startsWith('--kubelet-certificate-authority='));
    assert.match(asked ?? '', /\/kubelet-ca\.crt$/);
    const signers = args.filter((arg) => arg.includes('kubelet-ca.key'));
    assert.deepEqual(
      signers.map((arg) => arg.split('=')[0]),
      ['--cluster-signing-kubelet-serving-key-file'],
    );
    assert.equal(flag('kube-apiserver', 'kubelet-certificate-authority'), undefined);
  });

  it('enforces Pod Security but in kube-system, and has not a word of it where nothing is enforced', () => {
    const { plugins } = fileOf('kube-apiserver', 'admission.json', { podSecurity: 'restricted' });
    const { defaults, exemptions } = plugins[0].configuration;
    assert.deepEqual([defaults.enforce, defaults.warn, defaults.audit], Array(3).fill('restricted'));
    assert.deepEqual(exemptions.namespaces, ['kube-system']);
    const name = 'admission-control-config-file';
    assert.match(flag('kube-apiserver', name, { podSecurity: 'baseline' }) ?? '', /\/admission\.json$/);
    assert.equal(flag('kube-apiserver', name, { podSecurity: 'privileged' }), undefined);
    const texts = one('kube-apiserver', { podSecurity: 'privileged' }).files?.map(({ text }) => text) ?? [];
    assert.ok(texts.every((text) => !text.includes('PodSecurity')));
  });

  it('sees a new provider without a restart', () => {
    const oidc = { issuer: 'https://id.example.com', clientId: 'web' };
    assert.deepEqual(one('kube-apiserver', { oidc }).args, one('kube-apiserver').args);
    const changed = one('kube-apiserver', { oidc }).files?.filter(
      ({ text }, index) => text !== one('kube-apiserver').files?.[index]?.text,
    );
    assert.deepEqual(
      changed?.map(({ reloads }) => reloads),
      [true],
    );
  });

  it('and the konnectivity server meet at one socket', () => {
    const [{ connection }] = fileOf('kube-apiserver', 'egress-selector.json').egressSelections;
    assert.equal(connection.transport.uds.udsName, flag('konnectivity-server', 'uds-name'));
    assert.equal(connection.proxyProtocol, 'GRPC');
    assert.equal(flag('konnectivity-server', 'mode'), 'grpc');
  });
});

describe('the konnectivity server', () => {
  it('is another one when its certificate is, because it never reads it again', () => {
    const input = workloadInput(localInput(home));
    const renewed = resolved({ ...input, marks: { ...input.marks, konnectivity: '02' } });
    assert.notDeepEqual(
      renewed.find(({ name }) => name === 'konnectivity-server'),
      one('konnectivity-server'),
    );
  });

  it('tells agents how many there are, as planned', () => {
    assert.equal(flag('konnectivity-server', 'server-count'), '1');
    const { konnectivity } = localInput(home);
    const three = { ...konnectivity, server: { ...konnectivity.server, serverCount: 3 } };
    assert.equal(flag('konnectivity-server', 'server-count', { konnectivity: three }), '3');
  });
});

describe('the controller manager', () => {
  const masks = (pods: string[]): string[] =>
    one('kube-controller-manager', { network: { ...localInput(home).network, pods } })
      .args.filter((arg) => arg.includes('mask-size'))
      .map((arg) => arg.slice(2));

  it('divides the pods’ networks among nodes as far as they reach', () => {
    assert.deepEqual(masks(['172.25.0.0/16']), ['node-cidr-mask-size=24']);
    assert.deepEqual(masks(['172.25.0.0/26']), ['node-cidr-mask-size=26']);
    assert.deepEqual(masks(['172.25.0.0/16', 'fd01::/48']), [
      'node-cidr-mask-size-ipv4=24',
      'node-cidr-mask-size-ipv6=64',
    ]);
    assert.deepEqual(masks(['fd00::/32']), ['node-cidr-mask-size=48']);
  });
});
