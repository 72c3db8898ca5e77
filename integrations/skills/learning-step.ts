import type { TestReport } from './run-tests.js';
import type { SandboxLanguage, SandboxPermissions } from './sandbox.js';
import type { SkillTest } from './skill.js';
import type { ValueSchema } from './value-schema.js';

/** Directive to learn, with its tests. */
export interface LearningRequest {
  readonly directive: string;
  readonly tests: readonly SkillTest[];
  readonly input?: ValueSchema;
  readonly output?: ValueSchema;
  readonly attempts: number;
  /** Name of the skill. Default: the model names it. */
  readonly name?: string;
}

/** Plan of a model for a skill. */
export interface Plan {
  readonly name: string;
  readonly description: string;
  readonly whenNot: string;
  readonly steps: readonly string[];
  /** Access that the code needs. */
  readonly asks: SandboxPermissions;
}

export interface Draft {
  readonly language: SandboxLanguage;
  readonly code: string;
}

export interface Analysis {
  readonly cause: string;
  readonly change: string;
}

/** Step of learning one directive. Each is stored before the next begins. */
export type LearningStep = { readonly atMs: number } & (
  | ({ readonly kind: 'started' } & LearningRequest)
  | { readonly kind: 'planned'; readonly plan: Plan; readonly by: string }
  | { readonly kind: 'access'; readonly granted: boolean; readonly by: string; readonly reason: string }
  | { readonly kind: 'written'; readonly draft: Draft; readonly by: string }
  | { readonly kind: 'tested'; readonly report: TestReport }
  | { readonly kind: 'analysed'; readonly analysis: Analysis }
  /** The model did not answer, or not usably. It counts as an attempt. */
  | { readonly kind: 'unanswered'; readonly problem: string }
  | {
      readonly kind: 'ended';
      readonly result: 'working' | 'failed';
      readonly reason: string;
      readonly name?: string;
      readonly hash?: string;
    }
);

/** One attempt: a draft and what came out of it. */
export interface Attempt {
  readonly draft?: Draft;
  readonly by?: string;
  readonly report?: TestReport;
  readonly analysis?: Analysis;
  readonly problem?: string;
}

/** Learning of one directive so far. */
export interface LearningState {
  readonly request?: LearningRequest;
  readonly plan?: Plan;
  readonly access?: { readonly granted: boolean; readonly by: string; readonly reason: string };
  readonly attempts: readonly Attempt[];
  readonly ended?: Extract<LearningStep, { readonly kind: 'ended' }>;
}

/** Returns the state after these steps. */
export function learningOf(steps: readonly LearningStep[]): LearningState {
  return steps.reduce<LearningState>(afterStep, { attempts: [] });
}

/** Returns the state after one more step. */
export function afterStep(state: LearningState, step: LearningStep): LearningState {
  const { attempts } = state;
  const withLast = (change: Attempt): LearningState => ({
    ...state,
    attempts: [...attempts.slice(0, -1), { ...attempts.at(-1), ...change }],
  });
  switch (step.kind) {
    case 'started': {
      const { kind: _, atMs: __, ...request } = step;
      return { ...state, request };
    }
    case 'planned':
      return { ...state, plan: step.plan };
    case 'access':
      return { ...state, access: step };
    case 'written':
      return { ...state, attempts: [...attempts, { draft: step.draft, by: step.by }] };
    case 'tested':
      return withLast({ report: step.report });
    case 'analysed':
      return withLast({ analysis: step.analysis });
    case 'unanswered':
      return { ...state, attempts: [...attempts, { problem: step.problem }] };
    case 'ended':
      return { ...state, ended: step };
    default:
      return step satisfies never;
  }
}
