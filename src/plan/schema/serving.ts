// What gateway and konnectivity run by.
import { z } from 'zod';

const texts = z.array(z.string());

const route = z.strictObject({
  sni: z.string().optional().describe('Name in the ClientHello.'),
  authority: z.string().optional().describe('Authority of a CONNECT request.'),
  nodePort: z.number().optional().describe('Node port.'),
  addresses: texts.optional().describe('Own addresses (LoadBalancer).'),
  port: z.number().optional().describe('Port on the own addresses (LoadBalancer).'),
  backends: texts.describe('host:port of the servers behind it.'),
});
export const gatewayCluster = z.strictObject({
  apiServer: route.describe('Route to the API server.'),
  konnectivity: route.describe('Route to the konnectivity server.'),
  allowedSourceRanges: texts.optional().describe('Absent: everybody. Always holds the cluster’s own workers.'),
  maxConnections: z.number().describe('Open connections at a time.'),
  connectionsPerSecond: z.number().describe('New connections per second.'),
  idleTimeout: z.string().describe('Idle time after which a connection is closed.'),
  halfClosedTimeout: z.string().describe('The same once one side has ended.'),
});
export const gatewaySnapshot = z.strictObject({
  version: z.string().describe('Hash of the content.'),
  seed: z.string().describe('Seed.'),
  listeners: z
    .strictObject({
      sni: z.number().optional().describe('API server and konnectivity by SNI.'),
      tunnel: z.number().optional().describe('Tunnel by HTTP/2 CONNECT.'),
      single: z.number().optional().describe('Everything on one port.'),
      nodePortRange: z.string().describe('Node ports, first-last.'),
    })
    .describe('Ports it listens on.'),
  tunnel: z
    .strictObject({
      name: z.string().describe('Reserved name of the tunnel.'),
      authentication: z.enum(['token', 'certificate', 'none']).describe('What an agent must show.'),
      certificate: z
        .strictObject({
          certFile: z.string().describe('Certificate with its chain.'),
          keyFile: z.string().describe('Its private key.'),
        })
        .optional()
        .describe('PEM files of the gateway, beside its snapshot. Absent where the tunnel is cleartext.'),
      publicKeys: texts.optional().describe('Keys that sign agents’ tokens (PEM, Ed25519).'),
      clientAuthorities: texts.optional().describe('Authorities that sign agents’ client certificates (PEM).'),
    })
    .describe('Tunnel of the seed.'),
  trustedBalancers: texts.describe('Networks whose PROXY protocol header is believed.'),
  clusters: z.record(z.string(), gatewayCluster).describe('Routes and limits per cluster.'),
});

export const konnectivity = z.strictObject({
  server: z
    .strictObject({
      replicas: z.number().describe('Servers, one beside each API server; no more than the runtime can have.'),
      agentPort: z.number().describe('Port for agents in its pod; without pods the runtime chooses one.'),
      adminPort: z.number().describe('Port for metrics and profiling, likewise.'),
      healthPort: z.number().describe('Port for health checks, likewise.'),
      serverCount: z.number().describe('Number that servers tell their agents.'),
      keepalive: z.string().describe('Keepalive interval.'),
      tokenAudience: z.string().describe('Audience of the agents’ tokens.'),
      udsName: z.string().describe('Socket between API server and konnectivity server, likewise.'),
    })
    .describe('Server in the seed.'),
  agent: z
    .strictObject({
      replicas: z.number().nullable().describe('Agents; null: one on each machine with workers.'),
      host: z.string().nullable().describe('Name or address that agents dial; null until it exists.'),
      port: z.number().nullable().describe('Port that agents dial; null until it exists.'),
      keepalive: z.string().describe('Keepalive interval.'),
      syncForever: z.boolean().describe('Agents look for further servers for as long as they run.'),
      viaProxy: z.boolean().describe('Agents go through the corporate proxy.'),
    })
    .describe('Agents in the cluster.'),
});
