// What to do on the agent's side when the gateway says no.
import { CausewayError, exitCodes } from '../../core/errors.ts';

const fixes: Readonly<Record<string, string>> = {
  'not-tls': 'the tunnel wants TLS: leave out --plaintext, and give --ca FILE and the credentials it asks for',
  'not-connect': 'something on the way changes requests: look for a proxy that opens the tunnel, and go around it',
  'no-authority': 'something on the way changes requests: look for a proxy that opens the tunnel, and go around it',
  'no-credentials': 'give --token-file FILE, or --cert FILE and --key FILE, as the gateway asks for',
  'bad-token': 'the token is damaged: make a new one with causeway gateway token CLUSTER --key FILE',
  'expired-token': 'make a new token with causeway gateway token CLUSTER --key FILE, and check the clocks',
  'foreign-token': "the key that signed the token is not among the gateway's: use a token of this seed",
  'wrong-cluster': 'the credentials are for another cluster: check --cluster and the token',
  'bad-certificate': 'the client certificate must be signed by an authority in the snapshot and name the cluster',
  'unknown-authority': 'no cluster of this gateway has that authority: check --cluster, --authority and the snapshot',
  'no-backend': 'no API server of the cluster could be reached from the gateway: check that it runs',
  'source-not-allowed': "this machine's address is not in the cluster's allowed source ranges",
  'too-many-connections': "the cluster's limit of connections is reached",
  'too-fast': "the cluster's limit of new connections per second is reached",
  'too-many-streams':
    'a program on this machine opens very many connections: find it (GET /state of the agent counts them)',
  'too-many-resets': 'a program on this machine opens and breaks connections all the time: find it',
  'headers-too-large': 'the token is far too long, or something on the way adds headers: check the token file',
  draining: 'the gateway is being stopped; try again',
};

/** A newer gateway may have reasons that are not known here; its sentence, which is shown too, says what is wrong. */
export const refusalFix = (refusal: string): string =>
  fixes[refusal] ?? "do as the gateway's sentence says; its log and its reference of refusals tell more";

export const tunnelProblem = (problem: string | undefined, plaintext: boolean): CausewayError =>
  new CausewayError(
    'CW-CHECK-TUNNEL',
    problem ?? 'the gateway took the connection and did not answer',
    `check that this is the tunnel of a gateway, its log, and --transport${plaintext ? '; where it speaks TLS, leave out --plaintext' : ''}`,
    exitCodes.findings,
  );
