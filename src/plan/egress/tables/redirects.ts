// Allow-lists name the first host only; these are the hosts that it redirects to: token services, storage, CDNs.
// The registry of Kubernetes promises no stable list, so an allow-list for it is best effort; a mirror is not.
import type { Download } from '../download.ts';
import { awsRegionsOf } from './providers.ts';

export interface Redirect {
  readonly hosts: readonly string[];
  readonly reason: string;
}

/** Where registry.k8s.io sends clients outside AWS; those inside are sent to the bucket of their region. */
const layerRegions = [
  'ap-northeast-1',
  'ap-south-1',
  'ap-southeast-1',
  'eu-central-1',
  'eu-west-1',
  'us-east-1',
  'us-east-2',
  'us-west-1',
  'us-west-2',
];

const oddBuckets: Readonly<Record<string, string>> = {
  'eu-west-2': '767373bbdcb8270361b96548387bf2a9ad0d48758c35-eu-west-2.s3.dualstack.eu-west-2.amazonaws.com',
};
const bucket = (region: string): string =>
  oddBuckets[region] ?? `prod-registry-k8s-io-${region}.s3.dualstack.${region}.amazonaws.com`;

/** Regions without a bucket share that of a neighbour. */
const neighbours: Readonly<Record<string, string>> = {
  'cn-north-1': 'ap-east-1',
  'cn-northwest-1': 'ap-east-1',
  'ap-east-2': 'ap-east-1',
};

export const componentBehind = (host: string): string => `behind ${host}`;

const cdn = 'Delivers what that host only redirects to.';

export const redirects: ReadonlyMap<string, Redirect> = new Map(
  Object.entries({
    'dl.k8s.io': { hosts: ['cdn.dl.k8s.io'], reason: cdn },
    'pkgs.k8s.io': { hosts: ['prod-cdn.packages.k8s.io'], reason: cdn },
    'registry.k8s.io': {
      hosts: ['*.pkg.dev', 'd39mqg4b1dx9z1.cloudfront.net', ...layerRegions.map(bucket)],
      reason: 'Manifests and layers come from the storage nearest to the client.',
    },
    'docker.io': {
      hosts: [
        'registry-1.docker.io',
        'auth.docker.io',
        'production.cloudflare.docker.com',
        'production.cloudfront.docker.com',
        'docker-images-prod.6aa30f8b08e16409b46e0173d6de2f56.r2.cloudflarestorage.com',
      ],
      reason: 'Registry, token service and layers of docker.io.',
    },
    'quay.io': {
      hosts: ['cdn.quay.io', ...[1, 2, 3, 4, 5, 6].map((n) => `cdn0${n}.quay.io`)],
      reason: 'Layers of quay.io.',
    },
    'ghcr.io': { hosts: ['pkg-containers.githubusercontent.com'], reason: 'Layers of ghcr.io.' },
    'mcr.microsoft.com': { hosts: ['*.data.mcr.microsoft.com'], reason: 'Layers, from the region of the client.' },
    'public.ecr.aws': {
      hosts: ['d2glxqk2uabbnd.cloudfront.net', 'd5l0dvt14r5h8.cloudfront.net'],
      reason: 'Layers of public.ecr.aws.',
    },
    '*.azurecr.io': { hosts: ['*.blob.core.windows.net'], reason: 'Layers of registries in Azure.' },
    'github.com': {
      hosts: ['release-assets.githubusercontent.com', 'objects.githubusercontent.com', 'codeload.github.com'],
      reason: 'Files of a release, and archives.',
    },
    'registry.terraform.io': { hosts: ['releases.hashicorp.com', 'github.com'], reason: 'Providers and modules.' },
    'grafana.github.io': { hosts: ['github.com'], reason: 'Charts are files of a release.' },
    'prometheus-community.github.io': { hosts: ['github.com'], reason: 'Charts are files of a release.' },
    'kubernetes.github.io': { hosts: ['github.com'], reason: 'Charts are files of a release.' },
    'oauth2-proxy.github.io': { hosts: ['github.com'], reason: 'Charts are files of a release.' },
    'charts.dexidp.io': { hosts: ['github.com'], reason: 'Charts are files of a release.' },
  }),
);

/** Workers in AWS get their layers from their own region. */
export const regionalLayers: readonly Download[] = [
  {
    host: (facts) => awsRegionsOf(facts).map((region) => bucket(neighbours[region] ?? region)),
    component: componentBehind('registry.k8s.io'),
    reason: 'Layers, from the region of the client.',
    requirement: 'EGR-13',
    at: ['workers'],
    redirectOf: 'registry.k8s.io',
  },
];
