import type { CodeInfo } from '../finding.ts';

/** Virtual IPs, node ports and what announces them. */
export const addressCodes = {
  'CW-NODEPORT-CAPACITY': {
    severity: 'error',
    title: 'Too few node ports or listeners for the clusters of a seed',
    explanation:
      'With NodePort each cluster takes two ports of the range of its seed, and the load balancer in front needs a listener for each of them. When either runs out, the next cluster stays without endpoints.',
    fix: 'Widen gateway.nodePortRange, spread the clusters over more seeds, or use Tunneling, which needs no port per cluster.',
    rows: ['XPS-3', 'PRT-15'],
  },
  'CW-NODEPORT-CONFLICT': {
    severity: 'error',
    title: 'A node port in the lock cannot be used',
    explanation:
      'A port that was chosen once never moves by itself. It must lie in the range, be free of other uses, and belong to one cluster.',
    fix: 'Correct the port in causeway.lock.yaml, or the range and the reserved ports of the seed.',
    rows: ['XPS-3'],
  },
  'CW-POOL-CAPACITY': {
    severity: 'error',
    title: 'The address pool is too small',
    explanation:
      'Each virtual IP is needed for as long as the platform lives: one for the ingress, one for the gateway or one for each cluster with LoadBalancer, and one for each application that is exposed.',
    fix: 'Enlarge the pool, or use Tunneling so that all clusters of a seed share one address.',
    rows: ['XPS-3', 'L2-1', 'VS-6', 'VS-7'],
  },
  'CW-POOL-FAMILY': {
    severity: 'error',
    title: 'A pool of two families hands out networks of one length',
    explanation:
      'A length means another size in IPv4 than in IPv6, so networks of both families cannot be cut by one number.',
    fix: 'Make one pool per family.',
    rows: ['L2-1', 'VS-6'],
  },
  'CW-ADDRESS-SOURCE': {
    severity: 'error',
    title: 'The address of an entry has two sources',
    explanation:
      'Ingress and gateway have fixed addresses, the host name that a cloud gave, or addresses of a pool. Of two sources one would silently not count, and records and firewall rules would disagree.',
    fix: 'Keep one of ips, hostname and pool.',
    rows: ['LB-1', 'LB-2', 'DNS-1'],
  },
  'CW-POOL-OVERLAP': {
    severity: 'error',
    title: 'An address pool shares addresses with something else',
    explanation:
      'Two pools hand out the same virtual IP twice; a pool inside the addresses of machines gives a virtual IP to a machine.',
    fix: 'Cut the ranges so that each address has one owner, or exclude the shared part.',
    rows: ['VS-5', 'NET-5'],
  },
  'CW-POOL-DHCP': {
    severity: 'error',
    title: 'DHCP hands out addresses of a pool',
    explanation:
      'A machine that is given a virtual IP by DHCP answers for it, and traffic goes to whichever of the two was seen last.',
    fix: 'Take the pool out of the DHCP range, or exclude the shared addresses from the pool.',
    rows: ['L2-2', 'VS-5'],
  },
  'CW-POOL-SEGMENT': {
    severity: 'error',
    title: 'A pool does not fit its layer-2 segment',
    explanation:
      'In L2 mode a node answers ARP for a virtual IP. That works only for addresses of the segment of the nodes, and not for its network, broadcast and router address.',
    fix: 'Choose addresses inside the segment that nothing else uses, or announce the pool by BGP.',
    rows: ['L2-1'],
  },
  'CW-POOL-EXCLUDED': {
    severity: 'error',
    title: 'An address in the lock is no longer part of its pool',
    explanation:
      'An address that was handed out never moves by itself, so a pool can only shrink around what is in use.',
    fix: 'Put the address back into the pool, or remove it from causeway.lock.yaml to have a new one proposed.',
    rows: ['VS-8'],
  },
  'CW-VIP-CONFLICT': {
    severity: 'error',
    title: 'One virtual IP has two owners',
    explanation: 'Addresses entered by hand must be free: not handed out by a pool, not entered for somebody else.',
    fix: 'Choose another address, or let a pool hand it out.',
    rows: ['VS-8'],
  },
  'CW-LB-CONFLICT': {
    severity: 'error',
    title: 'The load balancer does not fit its environment',
    explanation:
      'In a cloud the controller of the cloud claims every Service of type LoadBalancer; a second controller needs a class of its own, or both answer. On premise there is no cloud controller, and Services stay pending.',
    fix: 'Use type cloud in clouds, another type elsewhere, or set loadBalancerClass.',
    rows: ['LB-6', 'INF-8'],
  },
  'CW-LB-SHARED-ADDRESS': {
    severity: 'error',
    title: 'A Kubernetes API and a Service share one address',
    explanation:
      'The balancer in front of the API of a management cluster exists before the cluster does; virtual IPs of Services are announced by it. One address cannot be both.',
    fix: 'Use two addresses: one for the API, one for ingress and gateway.',
    rows: ['LB-8'],
  },
  'CW-LB-MODE': {
    severity: 'error',
    title: 'The load balancer lacks what its mode needs',
    explanation:
      'Announced virtual IPs need a pool, BGP needs peers, L2 needs to know its segment, and KubeLB needs its hub.',
    fix: 'Complete spec.loadBalancer.',
    rows: ['LB-3', 'NET-2', 'BGP-2', 'LB-4'],
  },
  'CW-LB-MISSING': {
    severity: 'error',
    title: 'Nothing gives a cluster with LoadBalancer its address',
    explanation:
      'Each control plane has a load balancer of its own; without a pool, a cloud or a fixed address its Service stays pending.',
    fix: 'Set loadBalancer.pool on the seed, use a cloud load balancer, or set loadBalancerIPs on the cluster.',
    rows: ['LB-2', 'INF-8', 'DNS-10'],
  },
  'CW-BGP-PREFERRED': {
    severity: 'warning',
    title: 'L2 is chosen although BGP routers are known',
    explanation: 'BGP spreads load over nodes and moves a virtual IP without waiting for ARP caches.',
    fix: 'Set loadBalancer.mode to BGP, or record the reason as a decision on BGP-1.',
    rows: ['BGP-1'],
  },
  'CW-KEEPALIVE': {
    severity: 'warning',
    title: 'Something on the way closes idle tunnels before their keepalive',
    explanation:
      'Konnectivity tunnels are idle most of the time. A balancer or firewall that forgets a connection before the next keepalive drops it silently; logs and exec then hang until a timeout.',
    fix: 'Set konnectivity.keepalive to less than half of the shortest idle timeout, or raise that timeout.',
    rows: ['KON-5'],
  },
} as const satisfies Record<string, CodeInfo>;
