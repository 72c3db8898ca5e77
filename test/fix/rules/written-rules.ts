import { listRules, type SectionEdit } from '../../../src/fix/rules/edit-section.js';
import type { WrittenRule } from '../../../src/fix/rules/rule-line.js';
import { END } from '../../../src/fix/rules/section.js';

export function rule(id: string, more: Partial<WrittenRule> = {}): WrittenRule {
  return {
    id,
    text: `Read the file before you change it (${id}).`,
    date: '2026-01-05',
    evidence: `rsi explain ${id}`,
    ...more,
  };
}

/** Returns the text of a file after an edit that must succeed. */
export function edited(edit: SectionEdit): string | undefined {
  if (edit.kind !== 'edited') throw new Error(JSON.stringify(edit));
  return edit.text;
}

/** Returns the ids of the rules in the text of a file, or what is wrong with the file. */
export const idsIn = (text: string | undefined) => {
  const listed = listRules(text);
  return listed.kind === 'rules' ? listed.rules.map(({ id }) => id) : listed.message;
};

/** Rules that no file may hold, each with what is wrong in it. */
export const NOT_ALLOWED: readonly (readonly [string, Partial<WrittenRule>])[] = [
  ['a second line', { text: 'One.\nTwo.' }],
  ['a return', { text: 'One.\rTwo.' }],
  ['a line separator', { text: 'One.\u2028Two.' }],
  ['the end marker', { text: `Stop. ${END}` }],
  ['the name of the markers', { text: 'Delete what RSI-LOOP: says.' }],
  ['a comment that opens', { text: 'Hide <!-- the rest.' }],
  ['a comment that closes', { text: 'Show --> the rest.' }],
  ['a fence', { text: 'Run ```sh and more.' }],
  ['a heading', { text: '# Now root' }],
  ['an item', { text: '- [ ] sub' }],
  ['white space round it', { text: ' Read.' }],
  ['nothing', { text: '' }],
  ['too much', { text: 'a'.repeat(301) }],
  ['a zero-width character', { text: 'Re\u200bad.' }],
  ['a bidirectional override', { text: 'Read \u202e.daer' }],
  ['an invisible tag', { text: 'Read.\u{e0041}' }],
  ['half a character', { text: 'Read \ud83d.' }],
  ['an escape', { text: 'Read \u001b[31mred.' }],
  ['an id that closes the comment', { id: 'a-->' }],
  ['an id with a space', { id: 'a b' }],
  ['an id of two words', { id: 'a--b' }],
  ['no id', { id: '' }],
  ['no day', { date: '5 January' }],
  ['evidence that closes the comment', { evidence: 'x --> y' }],
  ['no evidence', { evidence: '' }],
  ['evidence of two lines', { evidence: 'a\nb' }],
];
