// How this page is known to the platform. Over TLS by a cookie, of which it learns nothing. Without TLS, as on loopback, by a
// bearer token: a cookie would go to every port of the machine. The token is in the storage of the tab, which survives
// loading anew, and other tabs of the same origin (its port included) are given it when they ask.

export interface SessionPlaces {
  /** Of the tab. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** To the other tabs of this origin. */
  readonly channel: Pick<BroadcastChannel, 'postMessage' | 'onmessage'>;
}

export interface Session {
  /** Undefined where there is none, or a cookie. */
  token(): string | undefined;
  /** What signing in has answered. */
  keep(token: string | undefined): void;
  /** Signed out, or not known any more: other tabs forget it too. Another one that was kept meanwhile stays. */
  end(token: string | undefined): void;
  /** Whether there is one after another tab was asked. */
  askOthers(): Promise<boolean>;
}

/** A tab that is there answers at once; one that sleeps is not waited for. */
const waitMs = 200;
const key = 'causeway-session';

type Message =
  | { readonly kind: 'ask' }
  | { readonly kind: 'given'; readonly token: string }
  | { readonly kind: 'ended'; readonly token: string };

export function createSession({ storage, channel }: SessionPlaces): Session {
  const token = (): string | undefined => storage.getItem(key) ?? undefined;
  const tell = (message: Message): void => channel.postMessage(message);
  let given: ((isThere: boolean) => void) | undefined;
  let asking: Promise<boolean> | undefined;
  const forget = (ended: string): void => {
    if (ended === token()) storage.removeItem(key);
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    const own = token();
    if (data.kind === 'ask' && own !== undefined) tell({ kind: 'given', token: own });
    if (data.kind === 'ended') forget(data.token);
    if (data.kind !== 'given' || own !== undefined || given === undefined) return;
    storage.setItem(key, data.token);
    given(true);
  };
  const ask = async (): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    given = resolve;
    const timer = setTimeout(() => resolve(false), waitMs);
    tell({ kind: 'ask' });
    const isThere = await promise;
    clearTimeout(timer);
    given = undefined;
    asking = undefined;
    return isThere;
  };
  return {
    token,
    keep(kept) {
      if (kept === undefined) storage.removeItem(key);
      else storage.setItem(key, kept);
    },
    end(ended) {
      if (ended === undefined) return;
      forget(ended);
      tell({ kind: 'ended', token: ended });
    },
    askOthers() {
      if (token() !== undefined) return Promise.resolve(true);
      asking ??= ask();
      return asking;
    },
  };
}

let own: Session | undefined;

/** Made when it is first asked for, because it listens from then on. */
export function session(): Session {
  own ??= createSession({ storage: sessionStorage, channel: new BroadcastChannel('causeway-session') });
  return own;
}
