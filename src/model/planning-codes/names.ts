import type { CodeInfo } from '../finding.ts';

/** DNS names and certificates. */
export const nameCodes = {
  'CW-CERT-NAMES': {
    severity: 'error',
    title: 'A name is not covered by the certificate of the platform',
    explanation:
      'The platform serves one certificate for all of its names. A wildcard stands for exactly one label: *.BASE covers neither BASE nor grafana.SEED.BASE.',
    fix: 'Use names below the domain of the platform, or add the missing names to the certificate.',
    rows: ['CRT-1', 'CRT-2', 'CRT-3', 'CRT-4', 'CRT-5', 'CRT-6', 'CRT-7'],
  },
  'CW-CERT-WILDCARD-HTTP01': {
    severity: 'error',
    title: 'A wildcard certificate cannot be proven by HTTP-01',
    explanation: 'ACME servers issue wildcards only after a DNS-01 challenge.',
    fix: 'Use acmeDNS01, or set certificates.wildcard to false.',
    rows: ['CRT-6', 'CRT-8'],
  },
  'CW-CERT-TRUST': {
    severity: 'error',
    title: 'Nobody is told to trust the private CA',
    explanation:
      'Every pod that talks to Dex checks its certificate. With an own CA or a self-signed certificate, logins fail until the platform distributes the CA. The bundle replaces the trust of the host, so public roots belong into it too.',
    fix: 'Set certificates.trustBundle to a bundle with the CA, its intermediates and the public roots.',
    rows: ['CRT-9', 'CRT-10', 'CRT-12'],
  },
  'CW-CERT-DNS01': {
    severity: 'warning',
    title: 'The ACME challenge cannot succeed as configured',
    explanation:
      'HTTP-01 needs the ACME server to reach port 80 of the ingress, which a private address does not offer. DNS-01 works in private networks, but needs to know where to write the record.',
    fix: 'Use acmeDNS01 with a public zone and its credentials, or an ACME server inside the network.',
    rows: ['CRT-11', 'EGR-12'],
  },
  'CW-CERT-OFFLINE': {
    severity: 'error',
    title: 'A public ACME server is out of reach',
    explanation:
      'In offline mode nothing is fetched from the internet, and that includes certificates from a public ACME server.',
    fix: 'Use an own CA, a supplied certificate, another issuer, or an ACME server inside the network.',
    rows: ['EGR-12', 'CRT-8'],
  },
  'CW-DNS-SHADOW': {
    severity: 'error',
    title: 'An existing name hides a wildcard',
    explanation:
      'A wildcard answers only where no closer name exists. A record for x.SEED.BASE stops *.BASE for everything at and below SEED.BASE, and a record for CLUSTER.SEED.BASE stops *.SEED.BASE for konnectivity-server.CLUSTER.SEED.BASE.',
    fix: 'Remove the existing record, or create explicit records for the hidden names.',
    rows: ['DNS-14', 'DNS-8'],
  },
  'CW-DNS-CAPTURED': {
    severity: 'warning',
    title: 'A wildcard answers for a host of somebody else',
    explanation:
      'Every name below the domain that has no record of its own is answered by the wildcard above it. The API of a seed, a key store or a cloud that is named below the domain then resolves to the ingress or the gateway.',
    fix: 'Create the record and list its name in dns.existing, or name the host outside the domain.',
    rows: ['DNS-14', 'DNS-3', 'DNS-8'],
  },
  'CW-SEED-DOMAIN': {
    severity: 'error',
    title: 'The DNS name of a seed holds a domain',
    explanation:
      'dnsName is put in front of the domain of the platform. A full name there gives names that end in two domains, which no zone holds.',
    fix: 'Write dnsName without the domain.',
    rows: ['DNS-8'],
  },
  'CW-DNS-DYNAMIC': {
    severity: 'warning',
    title: 'A record would hold an address that can change',
    explanation:
      'An A record on an address that the cloud may change points to a machine of somebody else after the load balancer was created anew.',
    fix: 'Reserve the address, use the host name of the load balancer, or let external-dns write the record.',
    rows: ['DNS-15', 'DNS-1'],
  },
  'CW-DNS-OWNER': {
    severity: 'error',
    title: 'Two writers own the same DNS records',
    explanation:
      'external-dns and KubeLB each delete what they did not create; with one zone and two owners, records come and go.',
    fix: 'Let one of them write: set dns.externalDNS or kubelb.dns to false, and give external-dns an ownerID.',
    rows: ['DNS-13', 'LB-5'],
  },
  'CW-NAME-CONFLICT': {
    severity: 'error',
    title: 'Two things need the same DNS name',
    explanation:
      'Below the domain of a seed its clusters share one level with the tunnel, Grafana and Alertmanager. Two seeds with one domain, or a cluster with a reserved name or that of a host which the manifests name, would answer for each other.',
    fix: 'Rename the cluster, or give the seed another dnsName.',
    rows: ['DNS-8', 'DNS-11', 'DNS-12', 'DNS-14'],
  },
  'CW-NAME-TOO-LONG': {
    severity: 'error',
    title: 'A derived name is longer than DNS allows',
    explanation:
      'Names of clusters are put in front of the name of their seed and the domain. DNS allows 253 characters in all.',
    fix: 'Shorten the name of the cluster, the dnsName of the seed, or the domain.',
    rows: ['DNS-9', 'DNS-8'],
  },
} as const satisfies Record<string, CodeInfo>;
