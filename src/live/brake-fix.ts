import { AUTO } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { TrialFigures } from '../contract/verdict.js';
import { isRandomised } from './active-fixes.js';
import { confirmedSettings } from './apply-entry.js';
import type { LiveComponents } from './live-components.js';

/**
 * Turns a fix off in this process, because it keeps tasks waiting for longer than its price. Returns false if it is off
 * already. The ledger follows with `settleBrakes`.
 */
export function brakeFix(components: LiveComponents, fixId: FixId, reason: string): boolean {
  const { braked, ledger, policies, events } = components;
  const fix = ledger.state.fixes.get(fixId);
  if (fix === undefined || braked.has(fixId) || !isRandomised(fix.status)) return false;
  braked.set(fixId, reason);
  policies.update({ confirmed: confirmedSettings(components) });
  events.emit({ kind: 'fix-braked', fix, reason });
  return true;
}

/** Rolls back the fixes that are off in this process, for all processes. `figuresOf` returns those of a trial, if known. */
export async function settleBrakes(
  { braked, ledger, clock }: Pick<LiveComponents, 'braked' | 'ledger' | 'clock'>,
  figuresOf: (fixId: FixId) => TrialFigures | undefined,
): Promise<void> {
  if (braked.size === 0) return;
  await ledger.appendLegal(({ fixes }) =>
    [...braked].flatMap(([fixId, reason]): readonly LedgerEntry[] => {
      const fix = fixes.get(fixId);
      if (fix === undefined || !isRandomised(fix.status)) return [];
      const move = { kind: 'fix-moved', atMs: clock.now(), by: AUTO, fixId, to: 'rolled-back' } as const;
      const figures = figuresOf(fixId) ?? NO_FIGURES;
      const verdict = { kind: 'failed', why: 'guard', guard: 'waits', atMs: move.atMs, figures } as const;
      return [{ ...move, reason: `failed: guard waits: ${reason}`, verdict }];
    }),
  );
  for (const fixId of braked.keys()) {
    const fix = ledger.state.fixes.get(fixId);
    if (fix === undefined || !isRandomised(fix.status)) braked.delete(fixId);
  }
}

const NOTHING = { units: 0, tasks: 0, failures: 0 };

/** Figures of a trial that this process has not read yet. */
const NO_FIGURES: TrialFigures = {
  fix: NOTHING,
  control: NOTHING,
  effect: { value: 1, low: 0, high: 10 },
  eHelp: 1,
  eHarm: 1,
  eNone: 1,
  needed: 20,
  guards: [],
};
