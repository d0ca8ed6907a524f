// Findings of a platform that runs: what is written is right, and cannot be had from what is there.
import type { CodeInfo } from './finding.ts';

export const runningCodes = {
  'CW-STRATEGY-CHANGE': {
    severity: 'error',
    title: 'A running cluster cannot change its expose strategy',
    explanation:
      'Its workers, its certificates and the endpoints inside it know the old way only. Until it can be moved while it runs, everything goes on as it was.',
    fix: 'Set exposeStrategy back, or make a new cluster and move the workloads.',
    rows: [],
  },
  'CW-VERSION-CHANGE': {
    severity: 'error',
    title: 'Kubernetes goes up one minor version at a time, and never back',
    explanation:
      'An older version does not know all of what a newer one has stored, and skipping a minor version skips its migrations.',
    fix: 'Choose the next minor version, or the one that runs.',
    rows: [],
  },
  'CW-VERSION-UNAVAILABLE': {
    severity: 'error',
    title: 'This version of Kubernetes cannot be had',
    explanation:
      'Its programs are not on this machine, and those who publish them answer that there is no such version. A cluster with it would never start.',
    fix: 'Choose a version that is offered: the form of the page and GET /api/v1/kubernetes-versions list them.',
    rows: [],
  },
  'CW-VERSION-UNVERIFIED': {
    severity: 'warning',
    title: 'Nobody could be asked whether this version of Kubernetes exists',
    explanation:
      'Its programs are not on this machine, and neither the download host nor a Go module proxy answered. The cluster starts when they do, and have it.',
    fix: 'Choose a version that is on this machine, or see to it that the publishers can be reached.',
    rows: [],
  },
} as const satisfies Record<string, CodeInfo>;
