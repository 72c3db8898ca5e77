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
  let input: number | undefined;
  let output: number | undefined;
  let cached = 0;
  let beside = 0;
  for (const key of Object.keys(value).slice(0, 64)) {
    const count = readTokenCount(readMember(value, key));
    if (count === undefined) continue;
    const form = meaningOf(key)?.name;
    if (key === 'input' || form === 'inputTokens') input ??= count;
    else if (key === 'output' || form === 'outputTokens') output ??= count;
    else if (key === 'cachedInput') cached = count;
    else if (form === 'cacheReadInputTokens') {
      beside += count;
      if (!/creat|write/i.test(key)) cached += count;
    }
  }
  if (input === undefined && output === undefined) return undefined;
  return tokenUse((input ?? 0) + beside, output ?? 0, cached);
}

/** Returns token counts. `cachedInput` is the part of `input` that was read from a cache. */
export function tokenUse(input: number, output: number, cachedInput = 0): TokenUse {
  return cachedInput > 0 ? { input, output, cachedInput: Math.min(cachedInput, input) } : { input, output };
}
