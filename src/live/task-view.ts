import type { PolicyChange } from '../contract/change.js';
import type { Fix } from '../contract/fix.js';
import { excludedBy, type Scope } from '../contract/scope.js';
import type { Policy } from '../contract/settings.js';
import type { ArmAssignment } from '../contract/start.js';
import { isInForce } from '../ledger/legal-steps.js';
import type { FixInPolicy } from '../run/fixes-in-policy.js';
import type { PolicyTable } from '../run/policy-table.js';
import { assignArms } from '../verify/assign.js';
import { type ActiveFixes, activeFixes, type Decided, isRandomised, NO_ACTIVE_FIXES } from './active-fixes.js';
import type { FixedComponents } from './fixed-components.js';

/** Decisions in force, and the named texts of the host. */
interface Seen extends Decided {
  readonly prompts: FixedComponents['prompts'];
  readonly policies: Pick<PolicyTable, 'changesIn'>;
}

/** Fixes and trials as starting tasks see them: the arms of a task, and the effects of those arms. */
export class TaskView {
  readonly #seen: () => Seen;
  readonly #onChange: () => void;
  /** Rebuilt lazily when a task asks for it, so several decisions in a row cost one rebuild. */
  #cache: ActiveFixes | undefined = NO_ACTIVE_FIXES;

  /** `onChange` is called when the decisions changed, for tasks that have begun. */
  constructor(seen: () => Seen, onChange: () => void = () => {}) {
    this.#seen = seen;
    this.#onChange = onChange;
  }

  /** Makes the next task see the newest decisions. */
  refresh(): void {
    this.#cache = undefined;
    this.#onChange();
  }

  /** Makes tasks see no fixes and no trials until `refresh`. */
  clear(): void {
    this.#cache = NO_ACTIVE_FIXES;
    this.#onChange();
  }

  /** Returns the arms of a starting task. Fixes that repeat the task get an arm only if the task may be repeated. */
  assign(start: Parameters<typeof assignArms>[1], mayRepeat: boolean | undefined): readonly ArmAssignment[] {
    const { trials, trialsWithoutRepeats } = this.active;
    const drawn = mayRepeat === true ? trials : trialsWithoutRepeats[mayRepeat === false ? 'never' : 'unknown'];
    if (drawn.length === 0) return NO_ARMS;
    const arms = assignArms(drawn, start);
    return this.#seen().prompts.texts?.arms(arms, start, this.active) ?? arms;
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

  /** Returns the fixes in a policy that a task got, in the order in which they apply. */
  fixesIn(policy: Policy): readonly FixInPolicy[] {
    const { policies, ledger, kinds } = this.#seen();
    const active = [...ledger.state.active.values()];
    return policies.changesIn(policy).flatMap((change) => {
      const fix = active.find((one) => kinds.of(one.change).effect(one.change).settings === change);
      if (fix === undefined) return [];
      const settings = Object.keys(change.set);
      return [{ fixId: fix.id, settings, rate: rateWithout(fix), isBraked: isRandomised(fix.status) }];
    });
  }

  /** Returns the settings of running trials. */
  settingsOnTrial(): readonly PolicyChange[] {
    const { ledger, kinds } = this.#seen();
    const onTrial = [...ledger.state.fixes.values()].filter(({ status }) => status === 'trial');
    return onTrial.flatMap(({ change }) => kinds.of(change).effect(change).settings ?? []);
  }

  /** Fixes and trials that apply to the next task. */
  get active(): ActiveFixes {
    this.#cache ??= activeFixes(this.#seen());
    return this.#cache;
  }
}

export const NO_ARMS: readonly ArmAssignment[] = [];

/** Failure rate without any knowledge of it. */
const USUAL_RATE = 0.05;

/** Returns the share of tasks that failed without the fix: in its trial, or before it. */
function rateWithout({ verdict, trial }: Fix): number {
  const control = verdict && 'figures' in verdict ? verdict.figures.control : trial?.past;
  return control && control.tasks > 0 ? control.failures / control.tasks : USUAL_RATE;
}
