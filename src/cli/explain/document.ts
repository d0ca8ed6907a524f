// Cluster/web, as the manifests of a directory have it.
import { CausewayError, exitCodes } from '../../core/errors.ts';
import { nearest } from '../../core/suggest.ts';
import { schemaOf } from '../../model/json-schema.ts';
import type { Kind, Model, Resource } from '../../model/schema/index.ts';
import { fails, printFindings, reviewPath } from '../pipeline.ts';
import { effectiveText, selectSettings, settingsOf, writtenText } from './effective-text.ts';
import { findField } from './fields.ts';

export async function explainDocument(
  kind: Kind,
  name: string,
  field: string | undefined,
  dir: string,
): Promise<string> {
  const reviewed = await reviewPath(dir);
  const { planned, findings } = reviewed;
  if (planned === undefined || fails(findings)) {
    printFindings(reviewed, process.stderr);
    throw new CausewayError(
      'CW-CLI-UNREADABLE',
      `the manifests in ${dir} have errors, so what they lead to is not known`,
      'mend the findings above',
      exitCodes.findings,
    );
  }
  const resource = resourceOf(planned.model, kind, name);
  const title = `${kind}/${resource.metadata.name}`;
  const settings = selectSettings(settingsOf(planned.plan, kind, resource.metadata.name), field);
  if (settings.length > 0) return effectiveText(title, settings);
  return writtenText(title, resource, findField(schemaOf(kind), field ?? 'spec', kind).path);
}

function resourceOf(model: Model, kind: Kind, name: string): Resource {
  const documents = documentsOf(model, kind);
  const found = documents.find((document) => document.metadata.name === name.toLowerCase());
  if (found !== undefined) return found;
  const names = documents.map((document) => document.metadata.name);
  const guess = nearest(name, names);
  const some = `${names.slice(0, 10).join(', ')}${names.length > 10 ? ' …' : ''}`;
  throw new CausewayError(
    'CW-CLI-RESOURCE',
    `there is no ${kind}/${name}`,
    `${guess === undefined ? '' : `did you mean ${kind}/${guess}? `}${names.length === 0 ? 'There are none.' : `There are ${some}.`}`,
  );
}

const documentsOf = (model: Model, kind: Kind): readonly Resource[] =>
  ({
    Platform: [model.platform],
    Seed: model.seeds,
    Datacenter: model.datacenters,
    Cluster: model.clusters,
    AddressPool: model.pools,
  })[kind];
