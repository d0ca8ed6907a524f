// What is read from and written to connections (ClientHello, PROXY protocol, addresses, tokens, proxy URLs), and the admin
// endpoint with its metrics.
export {
  type AdminAddress,
  type AdminPlace,
  adminAddressText,
  adminRequest,
  readAdminAddress,
  readAdminPlace,
  usualAdminSocket,
} from './admin-address.ts';
export { type AdminAnswer, type AdminRoutes, type AdminServer, serveAdmin } from './admin-server.ts';
export {
  type BadHello,
  type GoodHello,
  type HelloProgress,
  largestHello,
  newHelloProgress,
  readClientHello,
} from './client-hello.ts';
export type { Credentials } from './connect-head.ts';
export { exposition, expositionType, type MetricFamily, type Sample, single } from './exposition.ts';
export { compileNetworks, type IpMatcher, readNetwork } from './ip-ranges.ts';
export { canonicalIp, isIp } from './ip-words.ts';
export { type Algorithm, algorithmOf } from './jwt.ts';
export { proxyHeader, readProxyHeader } from './proxy-protocol.ts';
export { type HttpProxy, parseCredentials, parseProxyUrl } from './proxy-url.ts';
export { serviceAccountKeyId, type TokenAuthority, type TokenKey } from './service-account-token.ts';
export { keyIdOf, signToken, type TokenIdentity, tokenAudience } from './token.ts';
export { TokenVerifier } from './token-verifier.ts';
