import type { Fix } from '../contract/fix.js';
import type { DeclaredText } from '../contract/text.js';
import type { Ledger } from '../ledger/ledger.js';
import { isInForce } from '../ledger/legal-steps.js';
import { redact } from '../observe/redact.js';
import type { TextTable } from '../run/text-table.js';

/** Components that know the named texts. */
interface TextParts {
  readonly texts: TextTable;
  readonly ledger: Pick<Ledger, 'state'>;
}

/** Returns a text of this process, or else as another process declared it, with all tasks known to read it. */
export function declaredText(components: TextParts, name: string): DeclaredText | undefined {
  const { texts, ledger } = components;
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
  return [...ledger.state.active.values()].filter(({ status }) => isInForce(status));
}
