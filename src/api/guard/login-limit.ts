// How often a password may be guessed: by network, and by account whatever the network.
import { createRateLimit, type RateLimit } from './rate-limit.ts';

export interface LoginLimit {
  /** Before the password is looked at; throws. Links have no account. */
  attempt(network: string, account?: string): void;
  /** The password was right: others who guess do not keep this person out of the network that they come from. */
  succeeded(network: string, account: string): void;
}

/** Networks that people signed in from are remembered; the oldest is forgotten. */
const mostKnown = 10_000;

export function createLoginLimit(now: () => number): LoginLimit {
  // Five at once, then one every twelve seconds: a person does not notice, a guesser does.
  const byNetwork: RateLimit = createRateLimit({ perSecond: 1 / 12, burst: 5, now });
  // Thousands of networks guess at one account no faster than this.
  const byAccount: RateLimit = createRateLimit({ perSecond: 1 / 12, burst: 20, now });
  const known = new Set<string>();
  const keyOf = (network: string, account: string): string => `${network} ${account}`;
  return {
    attempt(network, account) {
      byNetwork.take(network);
      if (account !== undefined && !known.has(keyOf(network, account))) byAccount.take(account);
    },
    succeeded(network, account) {
      const key = keyOf(network, account);
      known.delete(key);
      known.add(key);
      if (known.size > mostKnown) for (const oldest of [...known].slice(0, 1)) known.delete(oldest);
    },
  };
}
