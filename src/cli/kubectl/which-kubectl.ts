import { programs } from '../../programs/catalogue.ts';
import type { Wanted } from '../../programs/need-programs.ts';

const [usual] = programs.kubectl.versions;

/** One minor version apart is what kubectl supports; further away the cluster's own version is taken. */
export const kubectlFor = (kubernetesVersion: string): Wanted =>
  Math.abs(minorOf(kubernetesVersion) - minorOf(usual)) <= 1 ? 'kubectl' : `kubectl@${kubernetesVersion}`;

const minorOf = (version: string): number => Number(version.split('.')[1]);
