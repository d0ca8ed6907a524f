// What the platform tells Prometheus: the conditions that page and command line show, and how long starts took.
import type { MetricFamily, Sample } from '../../net/index.ts';
import type { PlatformView } from '../../platform/index.ts';
import type { Condition } from '../../reconcile/index.ts';

export function platformFamilies({ conditions, clusters, components }: PlatformView): MetricFamily[] {
  return [
    {
      name: 'causeway_platform_condition',
      help: '1 while the condition of the platform is True, 0 while it is False or unknown.',
      type: 'gauge',
      samples: conditions.map((condition) => sampleOf(condition, {})),
    },
    {
      name: 'causeway_cluster_condition',
      help: '1 while the condition of the cluster is True, 0 while it is False or unknown.',
      type: 'gauge',
      samples: clusters.flatMap(({ name, conditions: own }) =>
        own.map((condition) => sampleOf(condition, { cluster: name })),
      ),
    },
    {
      name: 'causeway_cluster_start_step_seconds',
      help: 'How long the step of the last start of the cluster was waited for.',
      type: 'gauge',
      samples: clusters.flatMap(({ name: cluster, timings = [] }) =>
        timings.map(({ name: step, seconds }) => ({ labels: { cluster, step }, value: seconds })),
      ),
    },
    {
      name: 'causeway_component_restarts',
      help: 'How often the component was started again since the platform looks after it.',
      type: 'gauge',
      samples: components.map(({ scope, name, restarts }) => ({ labels: { scope, component: name }, value: restarts })),
    },
  ];
}

const sampleOf = ({ type, status }: Condition, labels: Readonly<Record<string, string>>): Sample => ({
  labels: { ...labels, type },
  value: status === 'True' ? 1 : 0,
});
