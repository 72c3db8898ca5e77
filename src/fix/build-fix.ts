import type { ChangeKind, PatternFacts, Proposal } from '../contract/change-kind.js';
import type { Fix, Forecast, ForecastInput } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import type { Pattern } from '../contract/pattern.js';
import type { RepeatRules } from '../lib/repeat.js';
import type { ChangeKinds } from './change-kinds.js';
import { whatFixNeeds } from './readiness.js';

/** Input of the forecast for an attempt on a pattern, counted from 1. */
export interface ForecastRequest extends ForecastInput {
  readonly attempt: number;
}

/** Failures that a fix is for. */
type FixedFailures = Pick<Pattern, 'id' | 'task' | 'issue' | 'rate'>;

interface FixRequest {
  readonly id: FixId;
  readonly kind: ChangeKind;
  readonly proposal: Proposal;
  readonly facts: Omit<PatternFacts, 'pattern' | 'tasks' | 'ofTask'> &
    Partial<Pick<PatternFacts, 'tasks' | 'ofTask'>> & { readonly pattern: FixedFailures };
  readonly attempt: number;
  readonly nowMs: number;
}

interface BuildPorts {
  readonly kinds: ChangeKinds;
  readonly repeats: RepeatRules;
  readonly forecast: (about: ForecastRequest) => Forecast;
}

/** Builds the fix of a chosen proposal, with its forecast and the steps that are missing before a trial. */
export function buildFix({ id, kind, proposal, facts, attempt, nowMs }: FixRequest, ports: BuildPorts): Fix {
  const { pattern, task } = facts;
  const { target, change, safe = false } = proposal;
  const { rate = pattern.rate.value, failing, ...details } = proposal.details();
  const unit = proposal.unit ?? kind.unit?.(change, pattern.issue, task) ?? 'task';
  const needs = whatFixNeeds(change, facts, ports);
  const { perDay, observedDays } = task;
  const isTriggered = unit === 'task' && kind.trigger?.(change, task) !== undefined;
  return {
    id,
    patternId: pattern.id,
    task: pattern.task,
    issue: pattern.issue,
    target,
    change,
    unit,
    status: 'proposed',
    safe,
    ...details,
    forecast: ports.forecast({
      rate,
      ...(failing !== undefined && { failing }),
      isTriggered,
      perDay,
      observedDays,
      unit,
      attempt,
    }),
    ...(needs !== undefined && { needs }),
    attempt,
    proposedMs: nowMs,
    changedMs: nowMs,
    decision: { kind: 'waiting', sinceMs: nowMs },
  };
}
