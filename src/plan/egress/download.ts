// The words that the allow-list tables are written in.
import type { Datacenter, Platform, Seed } from '../../model/schema/index.ts';
import type { EgressEntry } from '../schema/index.ts';
import type { Effective, Registry } from '../settings/effective.ts';

/** Kind of place that something is fetched from. */
export type Site = 'workers' | 'seed' | 'master' | 'installer';
export type OperatingSystem = NonNullable<Datacenter['spec']['nodes']['operatingSystems']>[number];
export type Provider = Datacenter['spec']['provider'];

/** What a line of the tables may depend on. It holds for a place, or for all clusters that look alike from here. */
export interface Facts {
  readonly site: Site;
  readonly platform: Platform['spec'];
  /** The seed itself, where it is the one that connects. */
  readonly seed: Seed['spec'] | undefined;
  /** User clusters are monitored. */
  readonly monitored: boolean;
  /** Absent where the line is about a management cluster as a whole. */
  readonly provider: Provider | undefined;
  readonly loadBalancer: string | undefined;
  readonly operatingSystems: readonly OperatingSystem[];
  /** Versions of the kubelets. */
  readonly versions: readonly string[];
  readonly cni: Effective['cni'] | undefined;
  /** Workers run stock Envoy as node agent. */
  readonly envoyAgent: boolean;
  readonly mode: Effective['egressMode'];
  readonly registry: Registry | undefined;
}

type Given<Value> = Value | ((facts: Facts) => Value);

/** One line of a table. */
export interface Download {
  readonly host: Given<string | readonly string[]>;
  /** @default 443 */
  readonly ports?: Given<readonly number[]>;
  readonly paths?: Given<readonly string[]>;
  /** Complete references, without tags. */
  readonly images?: Given<readonly string[]>;
  /** What fetches it. Lines with the same host and component become one entry. */
  readonly component: string;
  readonly reason: string;
  /** Row of the catalogue. */
  readonly requirement: string;
  readonly at: readonly Site[];
  /** @default always */
  readonly when?: (facts: Facts) => boolean;
  /** Paths name the versions in use. */
  readonly versioned?: true;
  /** Once for each datacenter, also where a seed or the installer is the one that connects. */
  readonly perDatacenter?: true;
  /** Hosts that took over: the line stands in older lists and may be closed. */
  readonly retired?: readonly string[];
  /** Host that sends clients here. */
  readonly redirectOf?: string;
  /** A service that is called rather than a thing that is downloaded; a private registry does not replace it. */
  readonly service?: true;
}

/** A line after the facts were filled in. */
export interface Line {
  readonly fixed: Omit<EgressEntry, 'ports' | 'paths' | 'images' | 'from' | 'clusters'>;
  readonly ports: readonly number[];
  readonly paths: readonly string[];
  readonly images: readonly string[];
}

const https: readonly number[] = [443];
const nothing: readonly string[] = [];

const given = <Value>(value: Given<Value>, facts: Facts): Value =>
  typeof value === 'function' ? (value as (facts: Facts) => Value)(facts) : value;

export function linesOf(downloads: readonly Download[], facts: Facts): Line[] {
  return downloads.filter((download) => applies(download, facts)).flatMap((download) => fill(download, facts));
}

const applies = (download: Download, facts: Facts): boolean =>
  download.at.includes(facts.site) && (download.when === undefined || download.when(facts));

function fill(download: Download, facts: Facts): Line[] {
  const host = given(download.host, facts);
  const rest = {
    ports: given(download.ports ?? https, facts),
    paths: given(download.paths ?? nothing, facts),
    images: given(download.images ?? nothing, facts),
  };
  return (typeof host === 'string' ? [host] : host).map((name) => ({ fixed: fixedOf(download, name), ...rest }));
}

const fixedOf = (download: Download, host: string): Line['fixed'] => ({
  host,
  component: download.component,
  status: download.retired === undefined ? 'active' : 'retired',
  replacedBy: [...(download.retired ?? [])],
  ...(download.redirectOf === undefined ? {} : { redirectOf: download.redirectOf }),
  reason: download.reason,
  requirement: download.requirement,
});

/** A line about images of one registry. They are named without the registry, which is put in front. */
export const images = (
  registry: string,
  names: readonly string[],
  rest: Omit<Download, 'host' | 'images'>,
): Download => ({
  host: registry,
  images: names.map((name) => `${registry}/${name}`),
  ...rest,
});
