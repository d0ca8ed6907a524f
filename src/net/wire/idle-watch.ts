// Since when nothing happened on a connection, as somebody sees who looks at it now and then. An end is news as bytes are:
// the time of a half-closed connection begins with it.

export class IdleWatch {
  #seen = 0;
  #wasHalfClosed = false;
  quietSince: number;

  constructor(now: number) {
    this.quietSince = now;
  }

  /** How long nothing happened; `bytes` is the sum of all that ever came through. */
  look(bytes: number, isHalfClosed: boolean, now: number): number {
    if (bytes !== this.#seen || isHalfClosed !== this.#wasHalfClosed) {
      this.#seen = bytes;
      this.#wasHalfClosed = isHalfClosed;
      this.quietSince = now;
    }
    return now - this.quietSince;
  }
}
