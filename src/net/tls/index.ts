// Whom TLS trusts, and what the other side presented.
export { type Presented, presentedBy } from './certificate.ts';
export { assertKeyPair, type KeyPair, type TrustFiles, trustOf } from './trust.ts';
