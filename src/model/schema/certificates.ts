import { z } from 'zod';
import { bundleRef, oneOf, secretRef } from './blocks.ts';
import * as s from './scalars.ts';

const acme = {
  server: s.webUrl.optional().describe('ACME directory. Default Let’s Encrypt.'),
  email: s.text.optional().describe('Contact of the ACME account.'),
};

/** Exactly one way to get the certificate of the platform's names. */
export const certificates = oneOf(
  {
    wildcard: z
      .boolean()
      .optional()
      .describe('Ask for *.domain instead of single names. Not possible with HTTP-01. Default false.'),
    acmeHTTP01: z.strictObject(acme).optional().describe('ACME by HTTP-01; the ACME server must reach port 80.'),
    acmeDNS01: z
      .strictObject({
        ...acme,
        provider: s.text.describe('DNS provider of cert-manager (rfc2136, route53, azureDNS, cloudflare …).'),
        credentials: secretRef.optional().describe('Credentials for the provider.'),
        nameserver: s.endpoint.optional().describe('Server for RFC 2136 updates.'),
        tsigKeyName: s.text.optional().describe('Name of the TSIG key (rfc2136).'),
      })
      .optional()
      .describe('ACME by DNS-01; works in private networks.'),
    issuer: z
      .strictObject({
        name: s.text.describe('Issuer.'),
        kind: s.text.optional().describe('Default ClusterIssuer.'),
        group: s.text.optional().describe('API group. Default cert-manager.io.'),
      })
      .optional()
      .describe('Another issuer that cert-manager knows.'),
    file: z
      .strictObject({
        certificate: s.text.describe('PEM file, leaf first.'),
        key: secretRef.describe('Its private key.'),
      })
      .optional()
      .describe('A certificate that is supplied.'),
    ca: z
      .strictObject({
        bundle: bundleRef.describe('CA with all intermediates.'),
        key: secretRef.describe('Key of the issuing CA.'),
      })
      .optional()
      .describe('An own CA; every pod that talks to Dex must trust it.'),
    selfSigned: z.strictObject({}).optional().describe('Self-signed; every client must be given the CA.'),
    trustBundle: bundleRef
      .optional()
      .describe('Bundle that is distributed to the platform; it replaces host trust, so public roots belong into it.'),
  },
  ['acmeHTTP01', 'acmeDNS01', 'issuer', 'file', 'ca', 'selfSigned'],
  'certificates',
);
