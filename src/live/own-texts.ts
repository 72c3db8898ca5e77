import type { DeclaredText } from '../contract/text.js';
import type { TextTable } from '../run/text-table.js';

/** Returns the texts of this process, with the tasks that have read each. */
export function ownTexts({ texts }: { readonly texts: TextTable }): readonly DeclaredText[] {
  return [...texts.texts].map((text) => ({ ...text, tasks: texts.tasksOf(text.name) }));
}
