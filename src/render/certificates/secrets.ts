// References to secrets as Kubernetes wants them. What is in a file or a variable has to be put into a Secret first.
import type { SecretRef } from '../../plan/installation/index.ts';

export interface SecretName {
  readonly name: string;
  readonly key: string;
  /** What somebody has to do for it. */
  readonly note: string;
}

/** `name` and `key` hold where the reference does not name a Secret of its own. */
export function secretOf(ref: SecretRef | undefined, name: string, key: string): SecretName {
  if (ref?.secret !== undefined) {
    const named = { name: ref.secret.name, key: ref.secret.key ?? key };
    return { ...named, note: `Needs Secret ${named.name} with key ${named.key}.` };
  }
  const source =
    ref?.env !== undefined ? `variable ${ref.env}` : ref?.file !== undefined ? `file ${ref.file}` : undefined;
  const from = source === undefined ? '' : `, made from ${source}`;
  return { name, key, note: `Needs Secret ${name} with key ${key}${from}.` };
}
