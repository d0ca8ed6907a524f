// CustomResourceDefinitions from the same schemas. They must be structural: no unions, no defaults (the plan applies
// those), and every list and text bounded, so that the cost of the CEL rules is bounded too.
import { z } from 'zod';
import { dropSafeIntegerBounds } from './json-schema.ts';
import { apiVersion, type Kind, kinds, schemas } from './schema/index.ts';

type Node = Record<string, unknown>;
interface Column {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
}

const [group, version] = apiVersion.split('/') as [string, string];
const longestText = 4096;
const longestList = 512;
const column = (name: string, field: string): Column => ({ name, type: 'string', jsonPath: `.spec.${field}` });

const names: Record<Kind, { readonly plural: string; readonly columns: readonly Column[] }> = {
  Platform: { plural: 'platforms', columns: [column('Domain', 'domain'), column('Strategy', 'exposeStrategy')] },
  Seed: { plural: 'seeds', columns: [column('API', 'api.host'), column('Strategy', 'exposeStrategy')] },
  Datacenter: { plural: 'datacenters', columns: [column('Seed', 'seed'), column('Integration', 'integration')] },
  Cluster: {
    plural: 'clusters',
    columns: [
      column('Datacenter', 'datacenter'),
      column('Version', 'kubernetesVersion'),
      column('Strategy', 'exposeStrategy'),
    ],
  },
  AddressPool: { plural: 'addresspools', columns: [column('Seed', 'seed'), column('Datacenter', 'datacenter')] },
};

export const crds = (): { readonly file: string; readonly document: Node }[] =>
  kinds.map((kind) => ({ file: `${group}_${names[kind].plural}.yaml`, document: crdOf(kind) }));

export function crdOf(kind: Kind): Node {
  const { plural, columns } = names[kind];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase(), categories: ['causeway'] },
      scope: 'Cluster',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: columns,
          schema: { openAPIV3Schema: rootSchema(kind) },
        },
      ],
    },
  };
}

function rootSchema(kind: Kind): Node {
  const spec = z.toJSONSchema(schemas[kind].shape.spec, {
    target: 'openapi-3.0',
    override: ({ jsonSchema }) => bound(jsonSchema as Node),
  });
  return {
    type: 'object',
    description: `${kind} of a Causeway platform.`,
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec,
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  };
}

function bound(schema: Node): void {
  dropSafeIntegerBounds(schema);
  // The CEL rule says it.
  delete schema.exactlyOneOf;
  // The API server prunes unknown fields instead of refusing them by a schema keyword.
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.type === 'string' && schema.enum === undefined) schema.maxLength ??= longestText;
  if (schema.type === 'array') schema.maxItems ??= longestList;
  if (schema.type === 'object' && schema.additionalProperties !== undefined) schema.maxProperties ??= longestList;
}
