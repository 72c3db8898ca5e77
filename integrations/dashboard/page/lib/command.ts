import { usePage } from './page-context.js';

/** Returns a function that writes a command for the store of this page, ready to copy. */
export function useCommand(): (words: string) => string {
  const folder = usePage().state.status?.folder;
  return (words) => `npx rsi ${words}${folder === undefined ? '' : ` --store ${shellWord(folder)}`}`;
}

function shellWord(text: string): string {
  return /^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
