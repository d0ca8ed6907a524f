// Blocks that several resources share.
import { z } from 'zod';
import { forAdmins, forOperators } from './access.ts';
import * as s from './scalars.ts';

/**
 * An object of which exactly one of `keys` must be set. Written as optional properties with a rule rather than as a
 * union, because a CustomResourceDefinition must be structural; the rule travels along as CEL, and for editors as oneOf.
 */
export function oneOf<Shape extends z.ZodRawShape>(
  shape: Shape,
  keys: readonly (keyof Shape & string)[],
  noun: string,
) {
  const message = `set exactly one of ${keys.join(', ')} for ${noun}`;
  const rule = `[${keys.map((key) => `has(self.${key})`).join(', ')}].filter(set, set).size() == 1`;
  return z
    .strictObject(shape)
    .refine((value) => keys.filter((key) => (value as Record<string, unknown>)[key] !== undefined).length === 1, {
      message,
    })
    .meta({ 'x-kubernetes-validations': [{ rule, message }], exactlyOneOf: keys });
}

const secretReference = oneOf(
  {
    env: z
      .string()
      .regex(/^[A-Za-z_]\w*$/, 'the name of an environment variable')
      .optional()
      .describe('Environment variable that holds it.'),
    file: s.text.optional().describe('File that holds it.'),
    secret: z
      .strictObject({
        namespace: s.name.optional().describe('Namespace of the Secret.'),
        name: s.text.describe('Name of the Secret.'),
        key: s.text.optional().describe('Key in the Secret.'),
      })
      .optional()
      .describe('Kubernetes Secret that holds it.'),
  },
  ['env', 'file', 'secret'],
  'a secret',
).meta({ title: 'secret reference' });
export const secretRef = forAdmins(secretReference);
export type SecretRef = z.infer<typeof secretRef>;

const bundleReference = oneOf(
  {
    file: s.text.optional().describe('PEM file.'),
    configMap: z
      .strictObject({
        namespace: s.name.optional().describe('Namespace of the ConfigMap.'),
        name: s.text.describe('Name of the ConfigMap.'),
        key: s.text.optional().describe('Key in the ConfigMap.'),
      })
      .optional()
      .describe('ConfigMap that holds the PEM bundle.'),
  },
  ['file', 'configMap'],
  'a CA bundle',
).meta({ title: 'CA bundle reference' });
export const bundleRef = forAdmins(bundleReference);

/** Where an address comes from: given, drawn from a pool, or handed out by a cloud. */
export const addressSource = z.strictObject({
  ips: z
    .array(s.address)
    .min(1)
    .max(8)
    .optional()
    .describe('Addresses that are fixed already, at most one per family and load balancer.'),
  hostname: s.host.optional().describe('Host name that the cloud gave to the load balancer; records become CNAMEs.'),
  pool: s.name.optional().describe('AddressPool to draw a virtual IP from.'),
  dynamic: z.boolean().optional().describe('The address is assigned by the cloud and may change.'),
});

export const apiEndpoint = forAdmins(
  z.strictObject({
    host: s.hostOrAddress.describe('Name or address of the Kubernetes API, as in the kubeconfig.'),
    port: s.port.optional().describe('Port of the Kubernetes API. Default 6443.'),
    loadBalancer: z
      .boolean()
      .optional()
      .describe('A load balancer stands in front of all control-plane nodes. Default true.'),
  }),
);

const dhcp = z.strictObject({
  enabled: z.boolean().describe('Nodes get their addresses by DHCP.'),
  ranges: z.array(s.addressRange).optional().describe('Addresses that the DHCP server hands out.'),
});

const zones = forOperators(z.array(s.text), 'labels of places');
const autoscaling = z.strictObject({ max: s.count.describe('Largest number of nodes.') });

/** Also those that are no longer maintained, so that a plan can say what to move away from. */
export const operatingSystem = z.enum([
  'ubuntu',
  'flatcar',
  'rhel',
  'rocky',
  'amazon-linux',
  'centos-7',
  'container-linux',
]);

/** Nodes of a management cluster (master or seed). */
export const managementNodes = z.strictObject({
  networks: z.array(s.cidr).min(1).describe('Networks of the nodes.'),
  pods: z.array(s.cidr).min(1).max(2).optional().describe('Pod networks of that cluster.'),
  services: z.array(s.cidr).min(1).max(2).optional().describe('Service networks of that cluster.'),
  controlPlane: z
    .array(s.address)
    .optional()
    .describe('Addresses of the control-plane nodes; an odd number, three or more.'),
  workers: s.count.optional().describe('Number of worker nodes.'),
  zones: zones.optional().describe('Availability zones the nodes are spread over.'),
  dhcp: dhcp.optional().describe('DHCP on the node network.'),
  staticRanges: z.array(s.addressRange).optional().describe('Addresses for the nodes where there is no DHCP.'),
  autoscaling: autoscaling.optional().describe('The node group grows by itself.'),
  operatingSystem: operatingSystem.optional().describe('Operating system of the nodes. Default ubuntu.'),
  sshUser: s.text.optional().describe('User for SSH to the nodes.'),
});

export const nodeNetwork = z.strictObject({
  networks: z.array(s.cidr).min(1).describe('Networks of the worker nodes.'),
  dhcp: dhcp.optional().describe('DHCP on the worker network; user clusters need it.'),
  operatingSystems: z.array(operatingSystem).min(1).optional().describe('Operating systems of the workers.'),
  zones: zones.optional().describe('Availability zones.'),
  dnsServers: z.array(s.address).optional().describe('DNS servers the nodes ask.'),
  planned: s.count.optional().describe('Largest number of nodes planned here.'),
  surge: s.count.optional().describe('Nodes that exist in addition during an update.'),
});

export const loadBalancer = z
  .strictObject({
    type: z
      .enum(['cloud', 'kubelb', 'metallb', 'cilium', 'f5', 'other'])
      .describe('Who implements Services of type LoadBalancer. f5 and other are recorded, not rendered.'),
    mode: z.enum(['L2', 'BGP']).optional().describe('How virtual IPs are announced.'),
    announcer: z.enum(['metallb', 'cilium']).optional().describe('What announces addresses beneath KubeLB.'),
    pool: s.name.optional().describe('AddressPool for load balancers of single clusters.'),
    segment: s.cidr.optional().describe('Layer-2 segment that the virtual IPs belong to (L2).'),
    segmentGateway: s.address.optional().describe('Router address in that segment; never a virtual IP.'),
    bgp: forAdmins(
      z.strictObject({
        asn: z.int().min(1).max(4294967295).describe('AS number of the announcing nodes.'),
        peers: z
          .array(
            z.strictObject({
              address: s.address.describe('Router.'),
              asn: z.int().min(1).max(4294967295).describe('AS number of the router.'),
              password: secretRef.optional().describe('TCP-MD5 password.'),
              holdTime: s.duration.optional().describe('Hold time. Default 90s.'),
              multihop: z.boolean().optional().describe('The router is more than one hop away.'),
            }),
          )
          .min(1)
          .describe('Routers.'),
      }),
    )
      .optional()
      .describe('BGP session of the announcing nodes with the routers.'),
    kubelb: forAdmins(
      z.strictObject({
        hub: s.hostOrAddress.describe('Address of the KubeLB management cluster API.'),
        port: s.port.optional().describe('Port of that API. Default 6443.'),
        networks: z
          .array(s.cidr)
          .optional()
          .describe('Networks of the KubeLB hub, which dials node ports of the tenants.'),
        dns: z.boolean().optional().describe('KubeLB owns application DNS records.'),
        certificates: z.boolean().optional().describe('KubeLB owns application certificates.'),
        ingress: z.boolean().optional().describe('KubeLB owns ingress.'),
      }),
    )
      .optional()
      .describe('KubeLB: where its hub is, and what it owns.'),
    maxListeners: s.count.optional().describe('Listener limit of the load balancer (AWS: 50).'),
    loadBalancerClass: s.text.optional().describe('Class, where two controllers could claim the same Service.'),
    idleTimeout: s.duration.optional().describe('Shortest idle timeout of balancers and firewalls on the way.'),
  })
  .describe('Load balancing of one environment.');
