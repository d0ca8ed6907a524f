// Waivers: a planning finding that somebody accepts for a time. It is still shown, but no longer fails.
import type { z } from 'zod';
import { nearest } from '../core/suggest.ts';
import { codes, isWaivable, type ReadingCode } from './codes.ts';
import type { Finding, Path, Position } from './finding.ts';
import type { Model, Platform } from './schema/index.ts';
import type { platformSpec } from './schema/platform.ts';

export type Waiver = NonNullable<z.infer<typeof platformSpec>['waivers']>[number];

/** Where in the files a field stands, if that is known. */
export type LocateField = (resource: string, path: Path) => Position | undefined;

/**
 * The findings with `waived` where a waiver holds, and what is wrong with the waivers themselves. `today` is
 * YYYY-MM-DD; the last day of a waiver still counts.
 */
export function applyWaivers(
  findings: readonly Finding[],
  model: Pick<Model, 'platform'> | undefined,
  today: string,
  locate?: LocateField,
): Finding[] {
  const waivers = model?.platform.spec.waivers ?? [];
  if (model === undefined || waivers.length === 0) return [...findings];
  const inForce = waivers.filter((waiver) => today <= waiver.expires && isWaivable(waiver.code));
  const applied = findings.map((finding) => waive(finding, inForce));
  const problems = waivers.flatMap((waiver, index) => judge(waiver, index, { model, findings, today, locate }));
  return [...applied, ...problems];
}

const matches = (waiver: Waiver, finding: Finding): boolean =>
  waiver.code === finding.code &&
  (waiver.resource === undefined || waiver.resource === finding.resource || waiver.resource === finding.related);

function waive(finding: Finding, waivers: readonly Waiver[]): Finding {
  const waiver = waivers.find((candidate) => matches(candidate, finding));
  if (waiver === undefined) return finding;
  return { ...finding, waived: { owner: waiver.owner, reason: waiver.reason, expires: waiver.expires } };
}

interface Setting {
  readonly model: Pick<Model, 'platform'>;
  readonly findings: readonly Finding[];
  readonly today: string;
  readonly locate: LocateField | undefined;
}

function judge(waiver: Waiver, index: number, setting: Setting): Finding[] {
  const place = (field: string) => about(setting.model.platform, ['spec', 'waivers', index, field], setting.locate);
  if (setting.today > waiver.expires) return [{ ...place('expires'), ...expired(waiver) }];
  if (!Object.hasOwn(codes, waiver.code)) return [{ ...place('code'), ...unknown(waiver) }];
  if (!isWaivable(waiver.code)) return [{ ...place('code'), ...refused(waiver) }];
  if (setting.findings.some((finding) => matches(waiver, finding))) return [];
  return [{ ...place('code'), ...unused(waiver) }];
}

function about(
  platform: Platform,
  path: Path,
  locate: LocateField | undefined,
): Pick<Finding, 'resource' | 'path' | 'position'> {
  const resource = `Platform/${platform.metadata.name}`;
  const position = locate?.(resource, path);
  return { resource, path, ...(position === undefined ? {} : { position }) };
}

type Words = Pick<Finding, 'code' | 'severity' | 'message' | 'fix'>;
const words = (code: ReadingCode, message: string, fix: string): Words => ({
  code,
  severity: codes[code].severity,
  message,
  fix,
});

const target = ({ code, resource }: Waiver): string => (resource === undefined ? code : `${code} for ${resource}`);

const expired = (waiver: Waiver): Words =>
  words(
    'CW-WAIVER-EXPIRED',
    `the waiver of ${target(waiver)} expired on ${waiver.expires}; ${waiver.owner} answers for it`,
    'Correct what was waived and remove the waiver, or agree on a new day.',
  );

const refused = (waiver: Waiver): Words =>
  words('CW-WAIVER-REFUSED', `${waiver.code} cannot be waived`, 'Remove the waiver and correct the finding.');

function unknown(waiver: Waiver): Words {
  const near = nearest(waiver.code, Object.keys(codes).filter(isWaivable));
  const fix =
    near === undefined ? 'Use the code of the finding, as "causeway validate" shows it.' : `Did you mean ${near}?`;
  return words('CW-WAIVER-UNKNOWN', `${waiver.code} is not the code of any finding, so the waiver waives nothing`, fix);
}

const unused = (waiver: Waiver): Words =>
  words(
    'CW-WAIVER-UNUSED',
    `the waiver of ${target(waiver)} waives nothing`,
    'Remove the waiver, or correct its code or resource.',
  );
