// For tests: a cluster's authority for tokens, and tokens as its API server makes them.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { serviceAccountKeyId, type TokenAuthority, tokenAudience } from '../../../../net/index.ts';

export interface TestTokenAuthority {
  readonly authority: TokenAuthority;
  /** Of the agent on this node, issued at this time (milliseconds). */
  token(node: string, issuedAt?: number): string;
}

const issuer = 'https://kubernetes.default.svc.cluster.local';
const subject = 'system:serviceaccount:kube-system:causeway-node-agent';
const lifeSeconds = 3600;
const text = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function testTokenAuthority(): TestTokenAuthority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = serviceAccountKeyId(publicKey);
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return {
    authority: { issuer, audience: tokenAudience, subject, keys: [{ id, publicKey: pem }] },
    token: (node, issuedAt = Date.now()) => signed({ alg: 'ES256', kid: id }, claimsOf(node, issuedAt), privateKey),
  };
}

function claimsOf(node: string, issuedAt: number): object {
  const iat = Math.floor(issuedAt / 1000);
  const bound = { namespace: 'kube-system', node: { name: node, uid: `uid of ${node}` } };
  const times = { iat, nbf: iat, exp: iat + lifeSeconds };
  return { iss: issuer, aud: [tokenAudience], sub: subject, ...times, 'kubernetes.io': bound };
}

function signed(head: object, claims: object, key: KeyObject): string {
  const content = `${text(head)}.${text(claims)}`;
  return `${content}.${sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}
