// How this process reaches a control plane that runs on this machine.
import type { ControlPlaneInput } from './control-plane.ts';

/** What is made public only by way of the gateway is bound here. */
export const loopback = '127.0.0.1';

export const apiServerUrl = ({ ports }: Pick<ControlPlaneInput, 'ports'>): string =>
  `https://${loopback}:${ports.apiServer}`;

/** Who the only member of the store is; a snapshot is restored for exactly this one. */
export function etcdMember({ ports }: Pick<ControlPlaneInput, 'ports'>): {
  readonly name: string;
  readonly clientUrl: string;
  readonly peerUrl: string;
} {
  return {
    name: 'etcd',
    clientUrl: `https://${loopback}:${ports.etcdClient}`,
    peerUrl: `https://${loopback}:${ports.etcdPeer}`,
  };
}
