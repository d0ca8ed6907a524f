// One loop and one condition, for both runtimes.
export {
  type Condition,
  ConditionSet,
  type ConditionStatus,
  isTrue,
  type UntimedCondition,
  type Verdict,
  verdictFalse,
  verdictOf,
  verdictStarting,
  verdictTrue,
  verdictUnknown,
} from './condition.ts';
export {
  type Clock,
  Reconciler,
  type ReconcilerOptions,
  type ReconcileState,
  type Result,
  reconciled,
} from './reconciler.ts';
export { runSteps, type Step, StepTimings } from './steps.ts';
