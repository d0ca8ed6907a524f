// How much HTTP/2 may have on its way. A stream that nobody reads keeps its own window full, and all of them together
// the session's: so that is as large as all streams that a session carries, and none can stop another.

/** Bytes of one connection that may be on their way, or unread. */
export const streamWindow = 1024 * 1024;
/** Streams of one session. As many may stand still without slowing another one. */
export const streamsPerSession = 100;
export const sessionWindow = streamWindow * (streamsPerSession + 1);
/** Headers of a CONNECT are small: an authority, and a token. */
export const maximumHeaders = 8 * 1024;
