// Every page with its address. Pages are loaded when they are opened, so that the start page stays small.
import {
  IconAlertTriangle,
  IconHistory,
  IconKey,
  IconNetwork,
  IconServer2,
  IconTopologyStar3,
  IconWorldUpload,
} from '@tabler/icons-react';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { ApiError } from './api/client.ts';

type Icon = typeof IconServer2;

export interface Route {
  /** Pattern of wouter. */
  readonly path: string;
  readonly title: string;
  readonly page: LazyExoticComponent<ComponentType>;
  /** Shown in the navigation, and found by the search. */
  readonly navigation?: { readonly icon: Icon; readonly href: string; readonly about: string };
}

const load = <Name extends string>(module: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazy(async () => ({ default: (await module().catch(notLoaded))[name] }));

/** The files of a page are not there while the platform is away, or when it has been updated since. */
function notLoaded(): never {
  throw new ApiError(0, {
    code: 'CW-PAGE-FILES',
    message: 'This page could not be loaded.',
    fix: 'See whether `causeway up` runs, then load it again.',
  });
}

export const routes: readonly Route[] = [
  {
    path: '/',
    title: 'Topology',
    page: load(() => import('./pages/topology/topology-page.tsx'), 'TopologyPage'),
    navigation: { icon: IconTopologyStar3, href: '/', about: 'The way from users and workers to each control plane' },
  },
  {
    path: '/clusters',
    title: 'Clusters',
    page: load(() => import('./pages/clusters/clusters-page.tsx'), 'ClustersPage'),
    navigation: { icon: IconServer2, href: '/clusters', about: 'All clusters, their health and endpoints' },
  },
  {
    path: '/clusters/:name/:tab?',
    title: 'Cluster',
    page: load(() => import('./pages/cluster/cluster-page.tsx'), 'ClusterPage'),
  },
  {
    path: '/create-cluster',
    title: 'New cluster',
    page: load(() => import('./pages/create-cluster/create-cluster-page.tsx'), 'CreateClusterPage'),
  },
  {
    path: '/edit-cluster/:name',
    title: 'Edit cluster',
    page: load(() => import('./pages/create-cluster/edit-cluster-page.tsx'), 'EditClusterPage'),
  },
  {
    path: '/network/:tab?',
    title: 'Network',
    page: load(() => import('./pages/network/network-page.tsx'), 'NetworkPage'),
    navigation: { icon: IconNetwork, href: '/network', about: 'Flows, DNS, certificates, addresses, downloads' },
  },
  {
    path: '/egress/:tab?',
    title: 'Egress',
    page: load(() => import('./pages/egress/egress-page.tsx'), 'EgressPage'),
    navigation: { icon: IconWorldUpload, href: '/egress', about: 'What is fetched from outside, and by which proxy' },
  },
  {
    path: '/findings',
    title: 'Findings',
    page: load(() => import('./pages/findings/findings-page.tsx'), 'FindingsPage'),
    navigation: { icon: IconAlertTriangle, href: '/findings', about: 'What is wrong in the manifests, and the fix' },
  },
  {
    path: '/events',
    title: 'Events',
    page: load(() => import('./pages/events/events-page.tsx'), 'EventsPage'),
    navigation: { icon: IconHistory, href: '/events', about: 'What happened, newest first' },
  },
  {
    path: '/access',
    title: 'Access',
    page: load(() => import('./pages/access/access-page.tsx'), 'AccessPage'),
    navigation: { icon: IconKey, href: '/access', about: 'Who is signed in, and bearer tokens; revoke them' },
  },
];

/** Outside of the shell: nobody is known there. */
export const LoginPage = load(() => import('./pages/login/login-page.tsx'), 'LoginPage');
