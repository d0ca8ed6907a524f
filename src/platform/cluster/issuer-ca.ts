import { CausewayError } from '../../core/errors.ts';
import type { Model } from '../../model/schema/index.ts';
import { oidcOf } from './cluster-input.ts';

/** Whose certificates an OIDC issuer may have: the bundle that the whole platform trusts. Undefined: those the system trusts. */
export function issuerAuthorities(model: Model, bundleText: (file: string) => string | undefined): string | undefined {
  const file = model.platform.spec.certificates?.trustBundle?.file;
  if (file === undefined || oidcOf(model) === undefined) return undefined;
  const text = bundleText(file);
  if (text !== undefined) return text;
  throw new CausewayError(
    'CW-UP-TRUST-BUNDLE',
    `the trust bundle ${file} does not exist`,
    'put it there, or take it out of Platform.spec.certificates.trustBundle',
  );
}
