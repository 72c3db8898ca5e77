import type { SkillStatus } from './skill.js';

/** Phase of learning, in order. After a failed test, `analyse` leads back to `write`. */
export type LearningPhase = 'plan' | 'ask' | 'write' | 'test' | 'analyse' | 'save';

/** Event of a skill folder. Texts of models and skills in it are untrusted. */
export type SkillEvent =
  /** `note` says in one sentence what happens or what came out of it. */
  | {
      readonly kind: 'learning-phase';
      readonly directive: string;
      readonly phase: LearningPhase;
      readonly attempt: number;
      readonly note: string;
    }
  | { readonly kind: 'skill-saved'; readonly name: string; readonly hash: string; readonly status: SkillStatus }
  | { readonly kind: 'skill-deprecated'; readonly name: string; readonly reason: string }
  | { readonly kind: 'skill-called'; readonly name: string; readonly ok: boolean; readonly durationMs: number }
  | { readonly kind: 'skill-proven'; readonly name: string; readonly hash: string }
  | { readonly kind: 'problem'; readonly message: string };
