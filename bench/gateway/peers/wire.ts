import type { StartSubject } from '../subject.ts';

/** No proxy at all: what the machine can do. */
export const startWire: StartSubject = async ({ backend }) => ({
  name: 'wire',
  address: `127.0.0.1:${backend}`,
  programs: [],
});
