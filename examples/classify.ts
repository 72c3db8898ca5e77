import { classifyError } from 'rsi-loop';

const error = 'Tool "geocode" failed: upstream said 429, retry after 2 seconds';
console.log(classifyError(error));
// { category: 'rate_limit', confidence: 0.89, retryable: true, retryAfterMs: 2000, rule: 'rate_limit/status', ... }

// Your own rules run first. The first whose pattern matches decides.
const rules = [{ id: 'ours/shard', category: 'overloaded' as const, pattern: /shard \d+ is resting/ }];
console.log(classifyError('shard 7 is resting', { rules }).category); // overloaded
