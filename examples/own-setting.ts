import { RSILoop } from 'rsi-loop';

const loop = new RSILoop({
  ownSettings: { 'my.searchDepth': { type: 'number', default: 1, min: 1, max: 5, unit: 'levels', whole: true } },
});
loop.fixer.register({
  name: 'deeper-search',
  match: (pattern) => pattern.task === 'search' && pattern.issue === 'not_found',
  propose: () => [{ set: { 'my.searchDepth': 3 }, safe: true, reason: 'answers lie deeper than one level' }],
});

// Your function reads the setting from the policy in force for this very call.
const depth = await loop.run('search', async ({ policy }) => policy['my.searchDepth']);
console.log(depth);
await loop.close();
