// What a release of the platform is built from, where that differs from release to release.

const firstWithGateway = [2, 31] as const;

/** From 2.31 on the entry to dashboard and API is Envoy Gateway (Gateway API), before that ingress-nginx. */
export function usesGatewayApi({ release }: { readonly release?: string | undefined }): boolean {
  if (release === undefined) return true;
  const [major = 0, minor = 0] = release.split('.').map(Number);
  return major > firstWithGateway[0] || (major === firstWithGateway[0] && minor >= firstWithGateway[1]);
}
