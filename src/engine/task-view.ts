import type { PolicyChange } from '../contract/change.js';
import { excludedBy, type Scope } from '../contract/scope.js';
import type { ArmAssignment } from '../contract/start.js';
import { isInForce } from '../ledger/legal-steps.js';
import type { TextUse } from '../lib/text-version.js';
import { assignArms } from '../verify/assign.js';
import { type ActiveFixes, activeFixes, NO_ACTIVE_FIXES } from './active-fixes.js';
import type { Components } from './components.js';
import { fixesOf } from './loop-state.js';
import { textsOf, withoutEarlier } from './texts.js';

/** Fixes and trials as starting tasks see them: the arms of a task, and the effects of those arms. */
export class TaskView {
  readonly #components: () => Components;
  /** Rebuilt lazily when a task asks for it, so several decisions in a row cost one rebuild. */
  #cache: ActiveFixes | undefined = NO_ACTIVE_FIXES;

  constructor(components: () => Components) {
    this.#components = components;
  }

  /** Makes the next task see the newest decisions. */
  refresh(): void {
    this.#cache = undefined;
  }

  /** Makes tasks see no fixes and no trials until `refresh`. */
  clear(): void {
    this.#cache = NO_ACTIVE_FIXES;
  }

  /** Returns the arms of a starting task. Fixes that repeat the task get an arm only if the task may be repeated. */
  assign(start: Parameters<typeof assignArms>[1], mayRepeat: boolean | undefined): readonly ArmAssignment[] {
    const { trials, trialsWithoutRepeats } = this.active;
    const drawn = mayRepeat === true ? trials : trialsWithoutRepeats[mayRepeat === false ? 'never' : 'unknown'];
    if (drawn.length === 0) return NO_ARMS;
    const arms = assignArms(drawn, start);
    const { session } = start;
    return session === undefined
      ? arms
      : withoutEarlier(arms, this.active, this.#components().sessions.note(session, start.atMs));
  }

  /** Returns the versions of texts that a starting task gets instead of the host's. */
  texts(scope: Scope, arms: readonly ArmAssignment[], session: string | undefined, atMs: number): readonly TextUse[] {
    const beganMs = session === undefined ? undefined : this.#components().sessions.note(session, atMs);
    return textsOf(this.active, { scope, arms, session, beganMs });
  }

  /** Returns the same without starting a task. A session that never started one counts as beginning. */
  readTexts(scope: Scope, session: string | undefined, atMs: number): readonly TextUse[] {
    if (session === undefined) return textsOf(this.active, { scope, arms: NO_ARMS });
    const beganMs = this.#components().sessions.of(session) ?? atMs;
    const bySession = this.active.trials.filter(({ unit }) => unit === 'session');
    const arms = withoutEarlier(assignArms(bySession, { session, scope, atMs }), this.active, beganMs);
    return textsOf(this.active, { scope, arms, session, beganMs });
  }

  /** Returns the settings that the arms add to the confirmed ones, and those that they withhold. */
  changes(scope: Scope, arms: readonly ArmAssignment[]): { add: PolicyChange[]; hold: PolicyChange[] } {
    const { fixes, settingsOf } = this.active;
    const add: PolicyChange[] = [];
    const hold: PolicyChange[] = [];
    for (const { fixId, arm } of arms) {
      const fix = fixes.get(fixId);
      const settings = fix && settingsOf(fix.change);
      if (!settings) continue;
      // A confirmed fix is added for a kind of task that it excludes, if the task was drawn to explore it.
      if (arm === 'fix' && (fix.status === 'trial' || excludedBy(fix.change.scope, scope))) add.push(settings);
      if (isInForce(fix.status) && arm === 'control') hold.push(settings);
    }
    return { add, hold };
  }

  /** Returns the settings of running trials. */
  settingsOnTrial(): readonly PolicyChange[] {
    const components = this.#components();
    const onTrial = fixesOf(components, { status: 'trial' });
    return onTrial.flatMap(({ change }) => components.kinds.of(change).effect(change).settings ?? []);
  }

  /** Fixes and trials that apply to the next task. */
  get active(): ActiveFixes {
    this.#cache ??= activeFixes(this.#components());
    return this.#cache;
  }
}

export const NO_ARMS: readonly ArmAssignment[] = [];
