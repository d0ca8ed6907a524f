import path from 'node:path';
import type { SpecFile } from '../component.ts';
import type { ControlPlaneInput } from '../control-plane.ts';
import { kubeconfigText } from '../kubeconfig.ts';
import type { Pair } from '../pki/pki.ts';
import { apiServerUrl } from './api-server.ts';

/** For a program beside the API server: it names files, so a renewed certificate is seen. */
export function kubeconfigFile(input: ControlPlaneInput, name: string, ca: Pair, user: Pair): SpecFile {
  const access = { server: apiServerUrl(input) };
  return {
    path: path.join(input.home.config, `${name}.kubeconfig`),
    text: kubeconfigText(access, { file: ca.cert }, { certFile: user.cert, keyFile: user.key }),
  };
}
