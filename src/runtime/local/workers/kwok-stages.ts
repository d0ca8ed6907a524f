// What happens to nodes and pods that nothing real runs: kwok plays these stages on them. A node is Ready as long as its
// lease is renewed; a pod runs at once, and one of a Job is done at once.

export interface NodePlace {
  readonly address: string;
  /** Of the kubelet endpoint. */
  readonly port: number;
  readonly kubernetesVersion: string;
}

export const stages = (layout: NodePlace): object[] => [
  stage('Node', 'node-is-ready', [unless(readyCondition, 'True')], { statusTemplate: nodeStatus(layout) }),
  stage('Node', 'node-is-as-told', [unless('.status.nodeInfo.kubeletVersion', `v${layout.kubernetesVersion}`)], {
    statusTemplate: nodeStatus(layout),
  }),
  stage('Pod', 'pod-runs', [not('.metadata.deletionTimestamp'), when('.status.phase', 'Pending')], {
    statusTemplate: runningPod,
  }),
  stage(
    'Pod',
    'pod-of-a-job-is-done',
    [
      not('.metadata.deletionTimestamp'),
      when('.status.phase', 'Running'),
      when('.metadata.ownerReferences.[].kind', 'Job'),
    ],
    { statusTemplate: donePod },
  ),
  stage('Pod', 'pod-is-gone', [{ key: '.metadata.deletionTimestamp', operator: 'Exists' }], {
    finalizers: { empty: true },
    delete: true,
  }),
];

const readyCondition = '.status.conditions.[] | select( .type == "Ready" ) | .status';

type Condition = { readonly key: string; readonly operator: string; readonly values?: readonly string[] };
const when = (key: string, value: string): Condition => ({ key, operator: 'In', values: [value] });
const unless = (key: string, value: string): Condition => ({ key, operator: 'NotIn', values: [value] });
const not = (key: string): Condition => ({ key, operator: 'DoesNotExist' });

const stage = (kind: string, name: string, matchExpressions: readonly Condition[], next: object): object => ({
  apiVersion: 'kwok.x-k8s.io/v1alpha1',
  kind: 'Stage',
  metadata: { name },
  spec: { resourceRef: { apiGroup: 'v1', kind }, selector: { matchExpressions }, next },
});

/** Large enough to try things on, small enough to be believed. */
const capacity = { cpu: '8', memory: '32Gi', 'ephemeral-storage': '100Gi', pods: '110' };

const pressures = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'];

const now = '{{ $now | Quote }}';
const finished = `{ terminated: { exitCode: 0, reason: Completed, startedAt: ${now}, finishedAt: ${now} } }`;
const running = `{ running: { startedAt: ${now} } }`;

const condition = (type: string, status: 'True' | 'False', more = ''): string =>
  `- { type: ${type}, status: "${status}", lastTransitionTime: ${now}${more} }`;
const nodeCondition = (type: string, status: 'True' | 'False', reason: string): string =>
  condition(type, status, `, lastHeartbeatTime: ${now}, reason: ${reason}, message: ""`);

const nodeStatus = ({ address, port, kubernetesVersion }: NodePlace): string => `
{{ $now := Now }}
conditions:
${nodeCondition('Ready', 'True', 'DemoNode')}
${pressures.map((type) => nodeCondition(type, 'False', 'DemoNode')).join('\n')}
addresses:
- { type: InternalIP, address: ${JSON.stringify(address)} }
- { type: Hostname, address: {{ .metadata.name | Quote }} }
daemonEndpoints: { kubeletEndpoint: { Port: ${port} } }
capacity: ${JSON.stringify(capacity)}
allocatable: ${JSON.stringify(capacity)}
nodeInfo: ${JSON.stringify(nodeInfo(kubernetesVersion))}
phase: Running
`;

const nodeInfo = (version: string): object => ({
  architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
  operatingSystem: 'linux',
  kubeletVersion: `v${version}`,
  kubeProxyVersion: '',
  containerRuntimeVersion: 'kwok://none',
  osImage: 'demo node',
  kernelVersion: '',
  machineID: '',
  systemUUID: '',
  bootID: '',
});

const containers = (from: string, ready: boolean, state: string): string => `
{{ range ${from} }}
- { name: {{ .name | Quote }}, image: {{ .image | Quote }}, imageID: "", ready: ${ready}, restartCount: 0, state: ${state} }
{{ end }}`;

const runningPod = `
{{ $now := Now }}
phase: Running
startTime: ${now}
conditions:
${['Initialized', 'ContainersReady', 'Ready'].map((type) => condition(type, 'True')).join('\n')}
{{ range .spec.readinessGates }}
${condition('{{ .conditionType | Quote }}', 'True')}
{{ end }}
containerStatuses:${containers('.spec.containers', true, running)}
initContainerStatuses:${containers('.spec.initContainers', true, finished)}
{{ with NodeIPWith .spec.nodeName }}
hostIP: {{ . | Quote }}
{{ end }}
{{ with PodIPWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) ( or .metadata.name "" ) ( or .metadata.namespace "" ) }}
podIP: {{ . | Quote }}
podIPs:
- ip: {{ . | Quote }}
{{ end }}
`;

const donePod = `
{{ $now := Now }}
phase: Succeeded
containerStatuses:${containers('.spec.containers', false, finished)}
`;
