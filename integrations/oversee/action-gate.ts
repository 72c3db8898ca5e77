import { LoopError } from 'rsi-loop';
import { cleaning, type LoopHandle, mustBe, partsOf, recordedText, showValue } from 'rsi-loop/kit';
import { hashOf } from 'rsi-loop/node';
import { ACTION_TIERS, type Action, type ActionTier, riskOf, type TierRules } from './action-tier.js';
import { Confirmations } from './confirmations.js';
import { exactText } from './exact-text.js';

/** Options of `actionGate`. */
export interface ActionGateOptions extends TierRules {
  /** Tiers that need no person. `destroy` always does. Default `read` and `change`. */
  readonly automatic?: readonly Exclude<ActionTier, 'destroy'>[];
  /** Time for an answer, in milliseconds. Without one, the action is rejected. Default 600,000. */
  readonly timeoutMs?: number;
}

/** Decides whether tools may run. */
export interface ActionGate {
  /**
   * Returns undefined if the action may run, or a promise that resolves when a person approved it.
   * @throws LoopError `not-accepted` (as a rejection) if it may not run.
   */
  check(action: Action, options?: { readonly signal?: AbortSignal }): Promise<void> | undefined;
}

const TIMEOUT_MS = 600_000;
const AUTOMATIC: readonly ActionTier[] = ['read', 'change'];

/**
 * Creates a gate for the actions of an agent. The tier of an action is the highest of what is known about it. An action
 * runs without a person only if every tier found is automatic. Nothing known means that a person is asked. The rules
 * are copied: nothing that the loop tries can change them.
 * @throws LoopError `invalid-input` naming the option that is out of range.
 */
export function actionGate(loop: LoopHandle, options: ActionGateOptions = {}): ActionGate {
  const { automatic = AUTOMATIC, timeoutMs = TIMEOUT_MS, folder } = options;
  mustBe(Array.isArray(automatic), 'automatic', showValue(automatic), 'a list of tiers');
  const tiers = { ...options.tiers };
  const allowed: ReadonlySet<string> = new Set(automatic);
  for (const tier of [...automatic, ...Object.values(tiers)]) {
    mustBe((ACTION_TIERS as readonly string[]).includes(tier), 'tier', tier, `one of ${ACTION_TIERS.join(', ')}`);
  }
  mustBe(!allowed.has('destroy'), 'automatic', 'destroy', 'tiers without destroy: a person decides on these');
  mustBe(Number.isFinite(timeoutMs) && timeoutMs > 0, 'timeoutMs', timeoutMs, 'milliseconds above 0');
  const rules: TierRules = { tiers, ...(folder !== undefined && { folder }) };
  const confirmations = new Confirmations(loop, partsOf(loop).clock);
  return {
    check(action, { signal } = {}) {
      const { tier, found } = riskOf(action, rules);
      if (tier !== undefined && found.every((one) => allowed.has(one.tier))) return undefined;
      const exact = exactText(action.input);
      if (exact === undefined) {
        const why = 'a person cannot be asked about its arguments: pass plain data only';
        return Promise.reject(new LoopError('not-accepted', `${recordedText(action.tool, 100)} was not run: ${why}`));
      }
      const reasons = found.map((one) => `${one.tier} (${one.why})`).join(', ');
      const why = tier === undefined ? 'nothing is known about what it does' : `it may ${tier}: ${reasons}`;
      const hash = hashOf(JSON.stringify([action.tool, exact]));
      return confirmations.ask(
        { tool: action.tool, hash, shown: shownTo(action.input, exact), why, timeoutMs },
        signal,
      );
    },
  };
}

const MAX_SHOWN = 1_200;

/**
 * Returns arguments as a person reads them: each value without secrets, so that no value hides another one. The length of
 * the whole is stated if a part is left out.
 */
function shownTo(input: unknown, exact: string): string {
  const shown = JSON.stringify(input, (key, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    return typeof value === 'string' ? cleaning.sanitizeObject({ [key]: value })[key] : value;
  });
  const text = recordedText(shown ?? 'none', MAX_SHOWN);
  return exact.length <= MAX_SHOWN / 2 ? text : `${text} (${exact.length} characters in all)`;
}
