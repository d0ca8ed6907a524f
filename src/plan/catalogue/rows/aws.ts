// AWS.
import * as when from '../conditions.ts';
import { groups } from '../groups.ts';
import { row, rowsOf } from '../row.ts';
import * as t from '../targets.ts';
import * as v from '../vantages.ts';

const aws = (field: string): string => `Datacenter.spec.provider.aws.${field}`;
const common = { when: when.usesProvider('aws'), vantages: [v.seedsOn('aws')] } as const;
const vpcs = t.perDatacenter(({ provider }) => [provider.aws?.vpcID]);

export const awsRows = rowsOf(groups.aws, [
  row('AWS-1', 'V L/B', 'Seeds reach IAM of the partition.', {
    ...common,
    inputs: [aws('partition'), 'Seed.spec.proxy.https', 'Seed.spec.proxy.trustBundle'],
  }),
  row('AWS-2', 'V L/B', 'Seeds reach S3 of each region.', { ...common, inputs: ['region', 'regions'].map(aws) }),
  row('AWS-3', 'V L/B', 'Seeds reach EC2 of each region.', { ...common, inputs: ['region', 'regions'].map(aws) }),
  row('AWS-4', 'V L/B', 'Credentials may make machines and security groups.', {
    ...common,
    inputs: ['credentials', 'vpcID', 'subnetIDs', 'securityGroupID'].map(aws),
    targets: [vpcs],
  }),
  row('AWS-5', 'V L/B', 'Credentials may read instance profiles, in every region of the plan.', {
    ...common,
    inputs: ['credentials', 'region', 'regions', 'instanceProfile'].map(aws),
    targets: [vpcs, t.plannedFor('AWS-5')],
  }),
]);
