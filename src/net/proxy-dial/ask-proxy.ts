// Says CONNECT to a proxy over an open connection, and reads no more of the answer than its head.
import type { Socket } from 'node:net';
import {
  type ConnectRequest,
  type ConnectResponse,
  ConnectResponseReader,
  type HeadFault,
  writeConnectRequest,
} from '../connect-head.ts';

/** The proxy's answer is no head of HTTP/1. */
export class NotAProxy extends Error {
  readonly why: HeadFault;
  readonly start: string;
  constructor(why: HeadFault, start: string) {
    super(`the answer is ${why}`);
    this.name = 'NotAProxy';
    this.why = why;
    this.start = start;
  }
}

/** The proxy closed without an answer. */
export class ClosedEarly extends Error {
  constructor() {
    super('closed before an answer');
    this.name = 'ClosedEarly';
  }
}

/** Afterwards nobody reads the socket; what came behind the head is in front of what it reads next. */
export function askProxy(socket: Socket, request: ConnectRequest, signal: AbortSignal): Promise<ConnectResponse> {
  return new Promise((resolve, reject) => {
    const reader = new ConnectResponseReader();
    const finish = (): void => {
      socket.removeListener('data', read).removeListener('error', failed).removeListener('end', ended);
      signal.removeEventListener('abort', finish);
      socket.pause();
    };
    const failed = (error: Error): void => {
      finish();
      reject(error);
    };
    const ended = (): void => failed(new ClosedEarly());
    const read = (chunk: Buffer): void => {
      const result = reader.push(chunk);
      if (result.state === 'bad') failed(new NotAProxy(result.why, result.start));
      if (result.state !== 'done') return;
      finish();
      if (result.rest.length > 0) socket.unshift(result.rest);
      resolve(result.response);
    };
    socket.on('data', read).on('error', failed).on('end', ended).resume();
    signal.addEventListener('abort', finish, { once: true });
    socket.write(writeConnectRequest(request));
  });
}
