import { expect, it } from 'vitest';
import { declaredText, fixesInForce, hasSecret, ownTexts } from '../../../integrations/prompts/declared-texts.js';
import { TextTable } from '../../../integrations/prompts/text-table.js';
import type { DeclaredText } from '../../../src/contract/text.js';
import { proposedFix } from '../../ledger/fixtures.js';

const text = (parts: Partial<DeclaredText> = {}): DeclaredText => ({
  ...{ name: 'system', text: 'You help.', version: 'v1', tasks: ['mail'] },
  ...parts,
});

/** Texts of this process, and what the ledger knows of those of others. */
function partsOf(own: Record<string, { text: string }>, known: readonly DeclaredText[]) {
  const texts = new TextTable(own);
  const state = { texts: new Map(known.map((one) => [one.name, one])) };
  return { texts, ledger: { state } as unknown as Parameters<typeof declaredText>[0]['ledger'] };
}

it('a text is that of this process, with the tasks of all processes that read it', () => {
  const parts = partsOf({ system: { text: 'You help us.' } }, [text()]);
  void parts.texts.lookup('answer').system;
  void parts.texts.lookup('mail').system;
  expect(declaredText(parts, 'system')).toMatchObject({ text: 'You help us.', tasks: ['mail', 'answer'] });
  expect(ownTexts(parts.texts)).toMatchObject([{ name: 'system', text: 'You help us.', tasks: ['answer', 'mail'] }]);
});

it('a text that this process does not have is as another one declared it', () => {
  const parts = partsOf({}, [text()]);
  expect(declaredText(parts, 'system')).toEqual(text());
  expect(declaredText(parts, 'other')).toBeUndefined();
  expect(ownTexts(parts.texts)).toEqual([]);
});

it('a text that no other process knows has the tasks of this one', () => {
  const parts = partsOf({ system: { text: 'You help us.' } }, []);
  void parts.texts.lookup('answer').system;
  expect(declaredText(parts, 'system')?.tasks).toEqual(['answer']);
});

it('a text with the shape of a key has a secret', () => {
  expect(hasSecret('Use sk-proj-Abc123Def456Ghi789Jkl012Mno345.')).toBe(true);
  expect(hasSecret('Be polite.')).toBe(false);
});

it('fixes in force are those that tasks get, all or all but a holdout', () => {
  const statuses = ['proposed', 'trial', 'confirmed', 'applied-unverified', 'reopened'] as const;
  const active = new Map(statuses.map((status) => [status, { ...proposedFix(status), status }]));
  const ledger = { state: { active } } as unknown as Parameters<typeof fixesInForce>[0]['ledger'];
  expect(fixesInForce({ ledger }).map(({ id }) => id)).toEqual(['confirmed', 'applied-unverified', 'reopened']);
});
