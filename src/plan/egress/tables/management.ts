// Components of the management clusters that call somebody outside: delivery, alerting, applications, telemetry.
import type { Download } from '../download.ts';
import { hasManagementComponent } from './providers.ts';

const master = ['master'] as const;
const clusters = ['master', 'seed'] as const;

export const managementComponents: readonly Download[] = [
  {
    host: 'github.com',
    component: 'Flux',
    reason: 'Reads configuration and charts from git.',
    requirement: 'PRX-1',
    at: clusters,
    when: hasManagementComponent('flux'),
  },
  {
    host: ['api.opsgenie.com', 'api.eu.opsgenie.com'],
    component: 'alerting',
    reason: 'Alerts to the people on call.',
    requirement: 'PRX-1',
    at: clusters,
    when: hasManagementComponent('alerting'),
  },
  {
    host: ['grafana.com', '*.grafana.net'],
    component: 'monitoring',
    reason: 'Dashboards, plugins, and metrics kept at Grafana.',
    requirement: 'PRX-1',
    at: clusters,
    when: hasManagementComponent('monitoring'),
  },
  {
    host: ['ghcr.io', '*.azurecr.io'],
    component: 'app platform',
    reason: 'Applications as OCI artefacts.',
    requirement: 'PRX-1',
    at: clusters,
    when: hasManagementComponent('app-platform'),
  },
  {
    host: 'github.com',
    component: 'app platform',
    reason: 'Applications as release artefacts.',
    requirement: 'PRX-1',
    at: clusters,
    when: hasManagementComponent('app-platform'),
  },
  {
    host: 'telemetry.k8c.io',
    component: 'telemetry',
    reason: 'Usage figures of the platform.',
    requirement: 'PRX-1',
    at: master,
    when: (facts) => facts.platform.telemetry === true,
  },
];
