import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { verdictFalse } from '../../reconcile/index.ts';
import { brokenText, type Status, startedText, statusText, typedAs } from './summary.ts';

const status: Status = {
  directory: 'platform',
  phase: 'starting',
  startedAt: 0,
  conditions: [],
  broken: false,
  clusters: [
    {
      name: 'shop',
      ready: false,
      phase: 'starting',
      reason: 'kube-apiserver is being built',
      conditions: [],
      steps: [
        { name: 'certificates', title: 'Certificates', state: 'done' },
        { name: 'programs', title: 'Programs of Kubernetes', state: 'active' },
      ],
      endpoint: 'https://127.50.0.2:6443',
      strategy: 'Tunneling',
      managed: true,
      version: '1.36.3',
    },
  ],
  components: [
    {
      scope: 'cluster/shop',
      name: 'etcd',
      phase: 'restarting',
      healthy: false,
      why: 'the port is taken',
      since: 0,
      restarts: 1,
      logFile: '',
    },
    {
      scope: 'cluster/shop',
      name: 'kube-apiserver',
      phase: 'getting',
      healthy: false,
      since: 0,
      restarts: 0,
      logFile: '',
    },
  ],
  programs: [{ name: 'kube-apiserver 1.36.3', doing: 'building', seconds: 40 }],
};

describe('what status prints', () => {
  it('says what is being got, what is not ready, and which component is the reason', () => {
    assert.equal(
      statusText(status),
      [
        'The platform on platform is starting.',
        'Getting kube-apiserver 1.36.3: building, 40 s.',
        '',
        'CLUSTER   STRATEGY    ENDPOINT                  NODES   READY',
        'shop      Tunneling   https://127.50.0.2:6443   -       starting (1 of 2 steps): kube-apiserver is being built',
        '',
        'COMPONENT   OF             PHASE        WHY                 NEXT',
        'etcd        cluster/shop   restarting   the port is taken   -',
        '',
      ].join('\n'),
    );
  });

  it('says no, with the reason and what to do, only of what fails', () => {
    const [shop] = status.clusters;
    assert.ok(shop);
    const failing = { ...shop, phase: 'failing', reason: 'the port is taken', fix: 'free it' } as const;
    assert.match(statusText({ ...status, clusters: [failing] }), / {2}no: the port is taken; free it\n/);
    assert.match(statusText({ ...status, clusters: [{ ...shop, ready: true, phase: 'ready' }] }), / {2}yes\n/);
  });

  it('warns that what runs is not what is written', () => {
    assert.match(statusText({ ...status, broken: true }), /what runs is an earlier state/);
    const finding = { code: 'CW-KIND', severity: 'error', message: 'what is this', fix: 'Ignore it.' } as const;
    const many = statusText({ ...status, broken: true }, { items: [finding], total: 31 });
    assert.match(
      many,
      /earlier state\.\n\nerror CW-KIND\n {2}what is this\n {2}fix: Ignore it\.\n[\s\S]*and 30 more, which the page lists\n/,
    );
  });

  it('says why manifests cannot be applied, and nothing while they are being applied', () => {
    const reconciled = (reason: string, message: string, fix?: string) =>
      statusText({ ...status, conditions: [{ type: 'Reconciled', since: 0, ...verdictFalse(reason, message, fix) }] });
    const said = /^Its manifests cannot be applied: the disk is full; make room\.$/m;
    assert.match(reconciled('CW-WRITE', 'the disk is full', 'make room'), said);
    assert.doesNotMatch(reconciled('Reconciling', 'the newest manifests are being applied'), /applied/);
  });
});

describe('manifests that cannot be applied', () => {
  it('are told by twenty findings, and how many more there are', () => {
    const finding = { code: 'CW-KIND', severity: 'error', message: 'what is this', fix: 'Ignore it.' } as const;
    const text = brokenText(Array(5000).fill(finding), 'platform');
    assert.equal(text.match(/what is this/g)?.length, 20);
    assert.match(text, /and 4980 more, which "causeway validate platform" lists\nnothing is started/);
    assert.doesNotMatch(brokenText([finding], 'platform'), /more/);
  });
});

describe('the end of a start', () => {
  it('names the page and three commands that work where the person is', () => {
    const typed = { causeway: './causeway' };
    const text = startedText(status, 'http://127.0.0.1:9900/?token=x', typed);
    assert.match(text, /http:\/\/127\.0\.0\.1:9900\/\?token=x/);
    assert.match(text, /^ {2}\.\/causeway kubectl shop get nodes$/m);
    assert.match(text, /^ {2}\.\/causeway kubeconfig shop > shop\.kubeconfig$/m);
    assert.match(
      startedText({ ...status, directory: '/srv/p' }, '', typed),
      /causeway kubectl --dir \/srv\/p shop get nodes\n.*causeway kubeconfig shop --dir \/srv\/p >/,
    );
  });

  it('names the launcher as it was called', () => {
    assert.equal(typedAs({ CAUSEWAY_COMMAND: './causeway' }).causeway, './causeway');
    assert.equal(typedAs({}).causeway, 'causeway');
  });
});
