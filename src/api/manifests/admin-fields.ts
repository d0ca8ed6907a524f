// What a role may change in the manifests. Judged by what the manifests would say afterwards and not by the request, so
// that no way of writing a document gets around it.
import { adminChanges } from '../../model/admin-changes.ts';
import { fieldOf } from '../../model/finding.ts';
import type { Loaded, LoadedDocument } from '../../model/load/index.ts';
import { allows, type Identity } from '../auth/identity.ts';
import { ApiError } from '../problems.ts';

export function assertMayChange(who: Identity | undefined, before: Loaded, after: Loaded): void {
  if (who !== undefined && allows(who, 'admin')) return;
  const fields = [...new Set(adminFieldsChanged(before, after))];
  if (fields.length > 0) throw onlyForAdmins(who?.name ?? 'nobody', fields);
}

/** As in "Seed/west spec.backup.s3.endpoint". */
function adminFieldsChanged(before: Loaded, after: Loaded): string[] {
  const [old, now] = [byKey(before), byKey(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => changedIn(old.get(key), now.get(key)));
}

function changedIn(before: LoadedDocument | undefined, after: LoadedDocument | undefined): string[] {
  // Documents of files that have not changed keep their identity.
  if (before === after) return [];
  const { kind, resource = 'a document without kind and name' } = (after ?? before) as LoadedDocument;
  if (kind === undefined) return before?.text === after?.text ? [] : [resource];
  return adminChanges(kind, before?.value, after?.value).map((path) =>
    `${resource} ${fieldOf(path).slice(0, longestField)}`.trim(),
  );
}

/** Of two documents with one name the first of both states is compared, then the second. */
function byKey({ documents }: Loaded): Map<string, LoadedDocument> {
  const [found, counts] = [new Map<string, LoadedDocument>(), new Map<string, number>()];
  for (const document of documents) {
    const name = document.resource ?? `${document.file}:`;
    const nth = counts.get(name) ?? 0;
    counts.set(name, nth + 1);
    found.set(`${nth} ${name}`, document);
  }
  return found;
}

const mostShown = 12;
/** Keys of maps are anybody's text. */
const longestField = 120;

function onlyForAdmins(name: string, fields: readonly string[]): ApiError {
  const more = fields.length > mostShown ? ` and ${fields.length - mostShown} more` : '';
  return new ApiError(
    403,
    'CW-API-ADMIN-FIELDS',
    `${name} may not change ${fields.slice(0, mostShown).join(', ')}${more}: what names secrets, files, endpoints, authorities or logins takes the role admin`,
    'leave these fields as they are, or ask an administrator of the platform to change them',
  );
}
