import { type Fix, redact } from 'rsi-loop';
import { concerning, type DeclaredText, type LoopParts } from 'rsi-loop/kit';
import type { TextTable } from './text-table.js';

/** Texts of this process, and the ledger, which knows those of others. */
interface TextParts {
  readonly texts: TextTable;
  readonly ledger: Pick<LoopParts['ledger'], 'state'>;
}

/** Returns the texts of this process, with the tasks that have read each. */
export function ownTexts(texts: TextTable): readonly DeclaredText[] {
  return [...texts.texts].map((text) => ({ ...text, tasks: texts.tasksOf(text.name) }));
}

/** Returns a text of this process, or else as another process declared it, with all tasks known to read it. */
export function declaredText({ texts, ledger }: TextParts, name: string): DeclaredText | undefined {
  const own = texts.of(name);
  const known = ledger.state.texts.get(name);
  if (!own) return known;
  return { ...own, tasks: [...new Set([...(known?.tasks ?? []), ...texts.tasksOf(name)])] };
}

/** Returns whether a text contains something with the shape of a secret. */
export function hasSecret(text: string): boolean {
  return redact(text) !== text;
}

/** Returns the fixes in force. */
export function fixesInForce({ ledger }: Pick<TextParts, 'ledger'>): readonly Fix[] {
  return [...ledger.state.active.values()].filter(({ status }) => concerning.isInForce(status));
}
