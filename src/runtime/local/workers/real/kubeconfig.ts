// How the worker's own clients find the API server: by its name, through the gateway.
import { kubeconfigText } from '../../../../control-plane/kubeconfig.ts';
import type { WorkerParts } from './parts.ts';

export const kubeconfig = (
  { input, secrets }: WorkerParts,
  user: { readonly token: string } | { readonly tokenFile: string },
): string => kubeconfigText({ server: input.endpoint.kubeconfigServer ?? '' }, secrets.ca, user);
