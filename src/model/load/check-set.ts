// What only shows when all documents are seen together: duplicates, the one Platform, names in DNS.
import type { Finding, Position } from '../finding.ts';
import { findingOf, type LoadedDocument, positionOf } from './document.ts';
import { valueAt } from './explain-issues.ts';

export const placeName = ({ file, line, column }: Position): string => `${file}:${line}:${column}`;

export function checkDuplicates(documents: readonly LoadedDocument[]): Finding[] {
  const first = new Map<string, LoadedDocument>();
  const findings: Finding[] = [];
  for (const document of documents) {
    if (document.resource === undefined) continue;
    const before = first.get(document.resource);
    if (before === undefined) first.set(document.resource, document);
    else findings.push(duplicate(document, document.resource, before));
  }
  return findings;
}

function duplicate(document: LoadedDocument, resource: string, before: LoadedDocument): Finding {
  const path = ['metadata', 'name'];
  return findingOf('CW-DUPLICATE', {
    resource,
    path,
    message: `${resource} is defined twice; the first is at ${placeName(positionOf(before, path))}`,
    fix: 'Rename or remove one of the two.',
    position: positionOf(document, path),
    related: resource,
  });
}

/** Exactly one Platform; `complete` is false where a document that could not be read may be the one. */
export function checkPlatform(documents: readonly LoadedDocument[], complete: boolean): Finding[] {
  const platforms = documents.filter(({ kind }) => kind === 'Platform');
  const [first, ...others] = platforms;
  if (first === undefined) return complete && documents.length > 0 ? [noPlatform] : [];
  // Two of the same name are a duplicate, which is told already.
  return others.filter(({ name }) => name !== first.name).map((other) => secondPlatform(other, first));
}

const noPlatform = findingOf('CW-PLATFORM-MISSING', {
  message: 'there is no document of kind Platform',
  fix: 'Add one with domain, users, master and ingress; "causeway init" writes an example.',
});

const secondPlatform = (document: LoadedDocument, first: LoadedDocument): Finding =>
  findingOf('CW-PLATFORM-SEVERAL', {
    resource: document.resource,
    path: ['kind'],
    message: `there is more than one Platform; the first is at ${placeName(positionOf(first, ['kind']))}`,
    fix: 'Keep one, and move the other into a directory of its own.',
    position: positionOf(document, ['kind']),
    related: first.resource,
  });

/** Cluster names lie below the DNS name of their seed, so no two seeds may share one. */
export function checkSeedNames(documents: readonly LoadedDocument[]): Finding[] {
  const owners = new Map<string, LoadedDocument>();
  const findings: Finding[] = [];
  for (const document of documents) {
    if (document.kind !== 'Seed' || document.name === undefined) continue;
    const written = valueAt(document.value, ['spec', 'dnsName']);
    const dnsName = (typeof written === 'string' ? written : document.name).toLowerCase();
    const owner = owners.get(dnsName);
    if (owner === undefined) owners.set(dnsName, document);
    else if (owner.name !== document.name) findings.push(sharedName(document, owner, dnsName));
  }
  return findings;
}

function sharedName(document: LoadedDocument, owner: LoadedDocument, dnsName: string): Finding {
  const path = ['spec', 'dnsName'];
  return findingOf('CW-SEED-DNS-NAME', {
    resource: document.resource,
    path,
    message: `${document.resource} and ${owner.resource} both have the DNS name ${JSON.stringify(dnsName.slice(0, 80))}`,
    fix: 'Set spec.dnsName of one of the two to another name.',
    position: positionOf(document, path),
    related: owner.resource,
  });
}
