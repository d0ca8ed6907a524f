// Regions and partitions of AWS.
import type { Facts } from '../download.ts';

export const awsRegionsOf = (facts: Facts): string[] => {
  const aws = facts.provider?.aws;
  return aws === undefined ? [] : [...new Set([aws.region, ...(aws.regions ?? [])])];
};

export const awsDomainOf = (facts: Facts): string =>
  facts.provider?.aws?.partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com';

const iamHosts = {
  aws: 'iam.amazonaws.com',
  'aws-cn': 'iam.cn-north-1.amazonaws.com.cn',
  'aws-us-gov': 'iam.us-gov.amazonaws.com',
} as const;

/** IAM is one service for a whole partition. */
export const iamHostOf = (facts: Facts): string => iamHosts[facts.provider?.aws?.partition ?? 'aws'];
