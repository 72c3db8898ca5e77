import type { TokenUse } from '../contract/outcome.js';
import { meaningOf } from './fields.js';
import { readMember } from './sanitize.js';
import { readTokenCount } from './values.js';

/**
 * Reads an object of token counts in any provider's spelling. Tokens read from or written to a cache also count as
 * input.
 */
export function readTokens(value: unknown): TokenUse | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const counts: Counts = { input: [], output: [], cachedInput: [], cacheRead: [], cacheWrite: [] };
  for (const key of Object.keys(value).slice(0, MAX_KEYS)) {
    const count = readTokenCount(readMember(value, key));
    const part = partOf(key);
    if (count !== undefined && part !== undefined) counts[part].push(count);
  }
  const [input] = counts.input;
  const [output] = counts.output;
  if (input === undefined && output === undefined) return undefined;
  const read = sum(counts.cacheRead);
  return tokenUse((input ?? 0) + read + sum(counts.cacheWrite), output ?? 0, sum(counts.cachedInput) + read);
}

type Part = 'input' | 'output' | 'cachedInput' | 'cacheRead' | 'cacheWrite';
type Counts = Readonly<Record<Part, number[]>>;

const MAX_KEYS = 64;

/** Returns what a key counts. Only `cachedInput` is already part of `input`. */
function partOf(key: string): Part | undefined {
  if (key === 'input' || key === 'output' || key === 'cachedInput') return key;
  switch (meaningOf(key)?.name) {
    case 'inputTokens':
      return 'input';
    case 'outputTokens':
      return 'output';
    case 'cacheReadInputTokens':
      return /creat|write/i.test(key) ? 'cacheWrite' : 'cacheRead';
    default:
      return undefined;
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** Returns token counts. `cachedInput` is the part of `input` that was read from a cache. */
export function tokenUse(input: number, output: number, cachedInput = 0): TokenUse {
  return cachedInput > 0 ? { input, output, cachedInput: Math.min(cachedInput, input) } : { input, output };
}
