import { ChangeKinds, type KindInForce } from '../fix/change-kinds.js';
import { policyInForce, ruleInForce } from '../fix/kinds/in-force.js';
import type { Ledger } from '../ledger/ledger.js';
import type { RepeatRules } from '../lib/repeat.js';
import type { Observer } from '../observe/observer.js';
import type { FixedComponents } from './fixed-components.js';
import type { RSILoopOptions } from './options.js';

/** Components that a process needs which records and runs tasks, and follows the decisions of others. */
export interface LiveComponents extends FixedComponents {
  readonly observer: Observer;
  /** Decides whether a task may run again after a failure. */
  readonly repeats: RepeatRules;
  readonly ledger: Ledger;
  readonly kinds: ChangeKinds<KindInForce>;
  /** Resolves when the stored decisions have been read. The judge may not be loaded then. */
  readonly decisionsRead: () => Promise<void>;
  /** Why no trial may run in this process, regardless of the ledger. */
  readonly noTrials?: string;
}

/** Creates the table of the kinds of change, without what proposes and decides. */
export function kindsInForce(front: FixedComponents, { kinds = [] }: RSILoopOptions): ChangeKinds<KindInForce> {
  return new ChangeKinds<KindInForce>(kinds, front.companionKinds, [policyInForce, ruleInForce]);
}

/** Reads the kill switch, `RSI_FREEZE`, from the environment. */
export function frozenFromOutside(): { readonly noTrials?: string } {
  const environment = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env;
  const value = environment?.RSI_FREEZE ?? '';
  return value === '' || value === '0' || value === 'false' ? {} : { noTrials: 'RSI_FREEZE is set' };
}
