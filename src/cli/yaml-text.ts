import { stringify } from 'yaml';

/** Documents for people and for kubectl: no anchors, no folded lines. */
export const toYamlDocuments = (documents: readonly unknown[]): string =>
  documents.map((document) => stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })).join('---\n');
