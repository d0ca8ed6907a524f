// Names of what was asked. All that follows from the platform's view starts with `view`, so that one change renews it.
import type { Query } from './client.ts';

const view = ['view'] as const;

export const keys = {
  view,
  events: ['events'] as const,
  whoami: ['whoami'] as const,
  /** Anything that is read by GET and follows from the view: the path is the name. */
  read: (path: string, query: Query = {}) => [...view, path, query] as const,
};
