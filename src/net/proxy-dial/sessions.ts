// TLS sessions to take up again: a trunk more costs no signature then. They belong to the context that made them, so new
// authorities or a new client certificate start afresh.
import type { SecureContext, TLSSocket } from 'node:tls';

const sessions = new WeakMap<SecureContext, Map<string, Buffer>>();
/** A gateway has few names; a table that grows beyond this has been used wrongly. */
const most = 64;

export const sessionFor = (context: SecureContext, key: string): Buffer | undefined => sessions.get(context)?.get(key);

export function rememberSession(socket: TLSSocket, context: SecureContext, key: string): void {
  const known = sessions.get(context) ?? new Map<string, Buffer>();
  sessions.set(context, known);
  socket.on('session', (session: Buffer) => {
    if (known.size < most || known.has(key)) known.set(key, session);
  });
}
