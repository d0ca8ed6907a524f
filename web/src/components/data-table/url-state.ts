// Filters, pages and opened rows live in the address: what one sees can be sent to somebody else, and Back goes back.
import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

export type UrlChanges = Readonly<Record<string, string | undefined>>;

export interface UrlState {
  /** Empty where it is not set. */
  readonly get: (name: string) => string;
  /** Undefined and empty values leave the address. Typing replaces, choosing can be undone by Back. */
  readonly set: (changes: UrlChanges, options?: { readonly replace?: boolean }) => void;
}

export function useUrlState(): UrlState {
  const [params, setParams] = useSearchParams();
  const set = useCallback<UrlState['set']>(
    (changes, options) => setParams((before) => changed(before, changes), options),
    [setParams],
  );
  return { get: (name) => params.get(name) ?? '', set };
}

function changed(before: URLSearchParams, changes: UrlChanges): URLSearchParams {
  const after = new URLSearchParams(before);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') after.delete(name);
    else after.set(name, value);
  }
  return after;
}

/** A filter begins a new list: on its first page, with nothing opened. */
export const fromTheStart: UrlChanges = { at: undefined, page: undefined, open: undefined };
