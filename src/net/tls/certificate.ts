// What a person needs to know about a certificate that somebody presented.
import type { X509Certificate } from 'node:crypto';
import { showable } from '../connect-head.ts';

export interface Presented {
  /** Common name and organisation. */
  readonly subject: string;
  readonly issuer: string;
  /** DNS names and addresses it is for. */
  readonly names: readonly string[];
  readonly validFrom: string;
  readonly validTo: string;
}

export const presentedBy = (certificate: X509Certificate): Presented => ({
  subject: distinguished(certificate.subject),
  issuer: distinguished(certificate.issuer),
  names: namesIn(certificate.subjectAltName ?? ''),
  validFrom: dayOf(certificate.validFrom),
  validTo: dayOf(certificate.validTo),
});

/** From one attribute per line to the two that tell who it is; all of them where both are missing. */
export function distinguished(lines: string): string {
  const parts = lines.split('\n').map(showable).filter(Boolean);
  const telling = ['CN=', 'O='].flatMap((key) => parts.filter((part) => part.startsWith(key)));
  return (telling.length > 0 ? telling : parts).join(', ').slice(0, 200);
}

const namesIn = (text: string): string[] =>
  text
    .split(', ')
    .map((entry) => showable(entry.replace(/^(DNS|IP Address):/, '')))
    .filter(Boolean)
    .slice(0, 8);

const dayOf = (date: string): string => {
  const time = new Date(date);
  return Number.isNaN(time.getTime()) ? showable(date) : time.toISOString().slice(0, 10);
};

// Products whose business is to open TLS; their names in an issuer leave no doubt.
const inspectors =
  /zscaler|netskope|palo alto|fortinet|fortigate|blue ?coat|symantec web|umbrella|ironport|sophos|check point|skyhigh|mcafee web|forcepoint|websense|barracuda|watchguard|sonicwall|cato networks|iboss|squid|mitmproxy|inspection|intercept|decrypt/i;

export const isInspector = (issuer: string): boolean => inspectors.test(issuer);
