import { useEffect, useRef, useState } from 'react';
import type { Traffic } from '../../api/types.ts';
import { type Rates, ratesBetween, type Sample, sampleOf } from './rates.ts';

/** Nearer tellings make a rate that jumps. */
const apartMs = 1_500;

/** How fast the totals grow, from one reading (at the time `at`) to the next. */
export function useRates(counted: readonly { readonly id: string; readonly traffic?: Traffic }[], at: number): Rates {
  const last = useRef<Sample | undefined>(undefined);
  const [rates, setRates] = useState<Rates>(new Map());
  useEffect(() => {
    const before = last.current;
    if (before !== undefined && at - before.at < apartMs) return;
    const after = sampleOf(at, counted);
    last.current = after;
    if (before !== undefined) setRates(ratesBetween(before, after));
  }, [counted, at]);
  return rates;
}
