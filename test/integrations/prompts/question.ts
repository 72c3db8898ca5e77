import type { PromptQuestion } from 'rsi-loop/prompts';
import { versionOf } from '../../../src/lib/text-version.js';
import { somePattern } from '../../fix/fixtures.js';

export const SYSTEM = 'You answer questions of {{customer}}.\nBe polite.';

export function someQuestion(parts: Partial<PromptQuestion> = {}): PromptQuestion {
  const pattern = somePattern({
    task: 'answer',
    issue: 'wrong_output',
    template: 'no amount in <*>',
    examples: ['no amount in the answer to order 17'],
  });
  const text = parts.text ?? SYSTEM;
  const words = { failures: ['the amount was missing for order 17'], successes: ['the invoice shows 12 euros'] };
  return { pattern, name: 'support.system', text, version: versionOf(text), proven: [], ...words, ...parts };
}
