import { RSILoop } from 'rsi-loop';

// After a refusal, all calls wait for the announced reset, up to 5 seconds. No call is repeated.
const loop = new RSILoop({ policy: { 'limit.resetMs': 5_000 } });

// Simulates your provider: it refuses the third call and says how long to wait.
let calls = 0;
let isRefusing = false;
async function provider(): Promise<string> {
  if (++calls === 3) {
    isRefusing = true;
    setTimeout(() => {
      isRefusing = false;
    }, 150);
  }
  if (isRefusing)
    throw Object.assign(new Error('Too Many Requests'), { status: 429, headers: { 'retry-after-ms': '200' } });
  return 'answer';
}

let refused = 0;
for (let question = 0; question < 20; question++) {
  await loop.run('ask', provider, { models: ['sonnet'] }).catch(() => refused++);
}
console.log(`${refused} of 20 refused`);
await loop.close();
