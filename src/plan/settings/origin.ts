// Where a setting comes from, as data. It becomes text where it is shown.

export type DocumentLevel = 'Platform' | 'Seed' | 'Datacenter' | 'Cluster';

/** A field of a document: Seed, west, spec.exposeStrategy. */
export interface DocumentOrigin {
  readonly level: DocumentLevel;
  readonly name: string;
  readonly field: string;
}

export type Origin =
  | { readonly level: 'default' }
  /** What runs the cluster cannot do more. */
  | { readonly level: 'runtime'; readonly name: string }
  | DocumentOrigin
  /** Entries of several documents add up; the nearest one is the last. */
  | { readonly level: 'sum'; readonly of: readonly DocumentOrigin[] };

/** A value that holds, or would hold. */
export interface OriginatedValue {
  readonly value: unknown;
  readonly from: Origin;
}
export interface Setting extends OriginatedValue {
  /** What would hold otherwise, nearest first. */
  readonly overrode?: readonly OriginatedValue[];
}
/** By setting, as in network.agentIP. */
export type SettingRecord = Readonly<Record<string, Setting>>;

/** One object, however many settings nobody set. */
export const byDefault: Origin = { level: 'default' };

/** Seed/west. */
export const resourceOf = ({ level, name }: DocumentOrigin): string => `${level}/${name}`;

const documentText = (origin: DocumentOrigin): string => `${resourceOf(origin)} ${origin.field}`;

export function originText(origin: Origin): string {
  switch (origin.level) {
    case 'default':
      return 'default';
    case 'runtime':
      return `runtime (${origin.name})`;
    case 'sum':
      return origin.of.map(documentText).join(' + ');
    default:
      return documentText(origin);
  }
}
