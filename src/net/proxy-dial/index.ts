// Dials a route, directly or through an HTTP proxy, and says at which step it failed.
export { type Dialled, dialRoute } from './dial-route.ts';
export { connectHost } from './happy-eyeballs.ts';
export type { Route } from './route.ts';
export { DialError, type Step, steps, TimedOut, withDeadline } from './steps.ts';
