// References between documents. One to a document that exists but is invalid is no mistake of the one who refers.
import { nearest } from '../../core/suggest.ts';
import { type Finding, fieldOf, type Path } from '../finding.ts';
import type { Kind } from '../schema/index.ts';
import { findingOf, type LoadedDocument, positionOf } from './document.ts';
import { valueAt } from './explain-issues.ts';
import { secretLook } from './literal-secrets.ts';

interface Reference {
  readonly path: Path;
  readonly to: Kind;
}

const references: Record<Kind, readonly Reference[]> = {
  Platform: [
    { path: ['spec', 'master', 'seed'], to: 'Seed' },
    { path: ['spec', 'ingress', 'address', 'pool'], to: 'AddressPool' },
  ],
  Seed: [
    { path: ['spec', 'gateway', 'address', 'pool'], to: 'AddressPool' },
    { path: ['spec', 'loadBalancer', 'pool'], to: 'AddressPool' },
  ],
  Datacenter: [
    { path: ['spec', 'seed'], to: 'Seed' },
    { path: ['spec', 'loadBalancer', 'pool'], to: 'AddressPool' },
  ],
  Cluster: [{ path: ['spec', 'datacenter'], to: 'Datacenter' }],
  AddressPool: [
    { path: ['spec', 'seed'], to: 'Seed' },
    { path: ['spec', 'datacenter'], to: 'Datacenter' },
  ],
};

export function checkReferences(documents: readonly LoadedDocument[]): Finding[] {
  const known = namesByKind(documents);
  return documents.flatMap((document) => [...danglingOf(document, known), ...tenantOf(document, known)]);
}

type Known = ReadonlyMap<Kind, ReadonlyMap<string, LoadedDocument>>;

function namesByKind(documents: readonly LoadedDocument[]): Known {
  const known = new Map<Kind, Map<string, LoadedDocument>>();
  for (const document of documents) {
    if (document.kind === undefined || document.name === undefined) continue;
    const names = known.get(document.kind) ?? new Map<string, LoadedDocument>();
    known.set(document.kind, names.set(document.name, names.get(document.name) ?? document));
  }
  return known;
}

function danglingOf(document: LoadedDocument, known: Known): Finding[] {
  if (document.kind === undefined) return [];
  return references[document.kind].flatMap(({ path, to }) => {
    const name = valueAt(document.value, path);
    if (typeof name !== 'string' || known.get(to)?.has(name)) return [];
    return [dangling(document, path, name, { noun: `${to} named`, names: [...(known.get(to)?.keys() ?? [])] })];
  });
}

/** A tenant lives in the datacenter of the cluster. */
function tenantOf(document: LoadedDocument, known: Known): Finding[] {
  const path = ['spec', 'tenant'];
  const tenant = document.kind === 'Cluster' ? valueAt(document.value, path) : undefined;
  if (typeof tenant !== 'string') return [];
  const datacenter = known.get('Datacenter')?.get(String(valueAt(document.value, ['spec', 'datacenter'])));
  if (datacenter?.value === undefined) return [];
  const tenants = valueAt(datacenter.value, ['spec', 'tenants']);
  const names = (Array.isArray(tenants) ? tenants : []).map((entry) => String(valueAt(entry, ['name'])));
  return names.includes(tenant)
    ? []
    : [dangling(document, path, tenant, { noun: `tenant in ${datacenter.resource} named`, names })];
}

interface Candidates {
  readonly noun: string;
  readonly names: readonly string[];
}

function dangling(document: LoadedDocument, path: Path, name: string, { noun, names }: Candidates): Finding {
  const shown = secretLook(name) === undefined ? JSON.stringify(name.slice(0, 80)) : '"…"';
  return findingOf('CW-REFERENCE', {
    resource: document.resource,
    path,
    message: `${fieldOf(path)} refers to ${shown}, but there is no ${noun} so`,
    fix: fixFor(name.slice(0, 80), names),
    position: positionOf(document, path),
  });
}

function fixFor(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  if (near !== undefined) return `Did you mean ${near}?`;
  if (names.length === 0) return 'Add the document; there is none of this kind yet.';
  const some = [...names].sort().slice(0, 8).join(', ');
  return `Add it, or use one of ${some}${names.length > 8 ? ' …' : ''}.`;
}
