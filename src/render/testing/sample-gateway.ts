import type { GatewaySnapshot } from '../../plan/schema/index.ts';

/** The gateway of seed west in the sample. */
export const sampleGateway: GatewaySnapshot = {
  version: '0123456789abcdef',
  seed: 'west',
  listeners: { sni: 6443, tunnel: 8088, nodePortRange: '30000-32767' },
  tunnel: {
    name: 'tunnel.west.kubermatic.example.com',
    authentication: 'token',
    certificate: { certFile: 'gateway.crt', keyFile: 'gateway.key' },
  },
  trustedBalancers: ['10.1.0.0/28'],
  clusters: {
    web: {
      apiServer: {
        sni: 'web.west.kubermatic.example.com',
        authority: 'apiserver-external.cluster-web.svc.cluster.local:443',
        backends: ['apiserver-external.cluster-web.svc.cluster.local:443'],
      },
      konnectivity: {
        sni: 'konnectivity-server.web.west.kubermatic.example.com',
        backends: ['konnectivity-server.cluster-web.svc.cluster.local:443'],
      },
      maxConnections: 1000,
      connectionsPerSecond: 100,
      idleTimeout: '1h',
      halfClosedTimeout: '1m',
    },
  },
};
