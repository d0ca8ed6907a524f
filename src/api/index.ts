// What other rooms may know of the API: how it is made and served.
export { type Api, apiDescription, createApi } from './app.ts';
export { auditDirectory, openAuditLog, readAudit, verifyAudit } from './audit-log.ts';
export { authOf } from './auth/configure.ts';
export { type AuthOptions, hasLogin } from './auth/options.ts';
export { owner } from './auth/rbac.ts';
export { isLoopbackName } from './guard/requests.ts';
export type { Started } from './page.ts';
export { type RouteAccess, routeAccess } from './route-access.ts';
export { type ServedApi, serveApi } from './serve.ts';
export { namesIn, readCertificate, type TlsFiles } from './tls-files.ts';
