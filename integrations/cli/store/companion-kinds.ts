import type { RSILoop } from 'rsi-loop';
import { partsOf } from 'rsi-loop/kit';

/**
 * Adds the kinds of change of companions, so that a command can describe and decide their fixes. Loads them only if the
 * ledger has such a fix, or a named text of another program. Call it when the loop is ready.
 */
export async function addCompanionKinds(loop: RSILoop): Promise<void> {
  if (partsOf(loop).ledger.state.texts.size > 0) (await import('rsi-loop/prompts')).textsIn(loop);
  if (loop.fixes({ kind: 'skill' }).length > 0) (await import('rsi-loop/skills/core')).addSkillKind(loop);
  if (loop.fixes({ kind: 'my.action' }).length > 0) (await import('rsi-loop/oversee')).addActionKind(loop);
}
