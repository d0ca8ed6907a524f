// The shapes of the API, from the schemas that the server answers by. Types only: none of its code comes to the browser.
import type { ClusterRow } from '../../../src/api/schema/clusters.ts';
import type { Page } from '../../../src/api/schema/common.ts';
import type { Summary } from '../../../src/api/schema/status.ts';

export type { ClusterDetail, ClusterRow, Connections, KubernetesVersions } from '../../../src/api/schema/clusters.ts';
export type { ApiFinding, Page } from '../../../src/api/schema/common.ts';
export type { ApiEvent, Events } from '../../../src/api/schema/events.ts';
export type {
  AddressPlan,
  Artefacts,
  CertificateRow,
  DnsRow,
  EgressRow,
  FlowRow,
  Proxies,
  ProxyRow,
} from '../../../src/api/schema/network.ts';
export type { DryRun, ResourceBody, ResourceItem } from '../../../src/api/schema/resources.ts';
export type {
  Credentials,
  IssuedKubeconfigs,
  LoginMethods,
  SignedIn,
  WhoAmI,
} from '../../../src/api/schema/session.ts';
export type { Component, Summary } from '../../../src/api/schema/status.ts';
export type { Topology, TopologyEdge, TopologyNode } from '../../../src/api/schema/topology.ts';

export type ClusterPage = Page<ClusterRow>;
export type Traffic = NonNullable<ClusterRow['traffic']>;
export type ProgramProgress = Summary['programs'][number];
