import * as tls from 'node:tls';

/** For all that this process fetches from now on: `fetch` knows no other way. Node before 24.5 has NODE_EXTRA_CA_CERTS only. */
export function trustAlso(authorities: string): void {
  if ('setDefaultCACertificates' in tls) tls.setDefaultCACertificates([...tls.getCACertificates(), authorities]);
}
