// A wire over a TLS session that is set up.
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { wireOfDuplex } from './duplex-wire.ts';
import { landing, landingSize, room, takeScratch } from './memory.ts';
import { endOfFile, type NativeStream, takeTlsHandle } from './native.ts';
import { RawWire } from './raw-wire.ts';
import type { Wire } from './wire.ts';

export function wireOfTls(socket: TLSSocket): Wire {
  const taken = takeTlsHandle(socket);
  return taken === undefined ? wireOfDuplex(socket) : new TlsWire(socket, taken.handle, taken.head, taken.ended);
}

interface Early {
  readonly buffer: Buffer;
  readonly length: number;
}

/** What a full record holds. More records usually follow it, and are decrypted in the same turn. */
const fullRecord = 16 * 1024;

/**
 * Differs from TCP in three ways. It comes in records of 16 KiB, so full ones are gathered to be passed on together. Ciphertext that arrived together is decrypted in one go, even after `readStop`, so what
 * comes too early waits here. And a chunk is free as soon as it is encrypted, long before it is sent.
 */
class TlsWire extends RawWire {
  readonly #socket: TLSSocket;
  readonly #early: Early[];
  /** The session's own, for when it is given back. */
  readonly #onRead: NativeStream['onread'];
  #endStatus: number;
  #gathering: Buffer | undefined;
  #gathered = 0;
  #scheduled = false;
  #busy = false;
  #waiting: Buffer | undefined;
  #endAfterWaiting = false;

  constructor(socket: TLSSocket, handle: NativeStream, head: readonly Buffer[], ended: boolean) {
    super(handle);
    this.#socket = socket;
    this.#onRead = handle.onread;
    this.#early = head.map(withRoom);
    this.#endStatus = ended ? endOfFile : 0;
    // At once: what the session decrypts together with the end of its handshake comes before anybody reads.
    super.install();
    socket.on('error', (error: Error) => this.fail(error));
    socket.on('close', () => this.destroy());
  }

  protected override install(): void {}

  override received(length: number): undefined {
    if (this.#waits()) this.#early.push({ buffer: this.stash(length), length });
    else if (length === fullRecord || this.#gathered > 0) this.#gather(length);
    else super.received(length);
  }
  override readFinished(status: number): void {
    this.passOn();
    if (this.#waits()) this.#endStatus = status;
    else super.readFinished(status);
  }
  /** What comes now must wait for what came before. */
  #waits(): boolean {
    if (this.silent) this.#setAside();
    return this.silent || this.#early.length > 0;
  }

  #gather(length: number): void {
    this.#gathering ??= takeScratch();
    landing.copy(this.#gathering, room + this.#gathered, 0, length);
    this.#gathered += length;
    if (length < fullRecord || this.#gathered + fullRecord > landingSize) this.passOn();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(endOfTurn, this);
    }
  }
  endOfTurn(): void {
    this.#scheduled = false;
    this.passOn();
  }
  protected passOn(): void {
    if (this.silent) this.#setAside();
    else {
      const gathered = this.#takeGathered();
      if (gathered !== undefined) this.deliverStashed(gathered.buffer, gathered.length);
    }
  }
  #setAside(): void {
    const gathered = this.#takeGathered();
    if (gathered !== undefined) this.#early.push(gathered);
  }
  #takeGathered(): Early | undefined {
    const buffer = this.#gathering;
    const length = this.#gathered;
    this.#gathering = undefined;
    this.#gathered = 0;
    return buffer && { buffer, length };
  }

  protected override flow(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next())
      this.deliverStashed(next.buffer, next.length);
    if (this.silent) return;
    if (this.#endStatus === 0) super.flow();
    else this.#finish();
  }
  #next(): Early | undefined {
    return this.silent ? undefined : this.#early.shift();
  }
  #finish(): void {
    const status = this.#endStatus;
    this.#endStatus = 0;
    super.readFinished(status);
  }

  override write(chunk: Buffer, room: number): boolean {
    if (this.#busy) {
      this.#waiting = chunk;
      return false;
    }
    this.#busy = !super.write(chunk, room);
    return true;
  }
  protected override gone(): void {
    this.#busy = false;
    const chunk = this.#waiting;
    if (chunk === undefined) return;
    this.#waiting = undefined;
    this.#busy = !super.write(chunk, 0);
    this.sink.drained();
    if (this.#endAfterWaiting) super.end();
  }
  override end(): void {
    if (this.#waiting === undefined) super.end();
    else this.#endAfterWaiting = true;
  }
  protected override closeHandle(): void {
    this.#socket.destroy();
  }
  /** For HTTP/2, which reads from the session by itself: only before anybody has read from the wire. */
  protected override socketOfHandle(): Socket {
    this.handle.onread = this.#onRead;
    for (const { buffer, length } of this.#early.reverse()) this.#socket.unshift(buffer.subarray(room, room + length));
    return this.#socket;
  }
}

const endOfTurn = (wire: TlsWire): void => wire.endOfTurn();

function withRoom(chunk: Buffer): Early {
  const buffer = Buffer.allocUnsafe(room + chunk.length);
  chunk.copy(buffer, room);
  return { buffer, length: chunk.length };
}
