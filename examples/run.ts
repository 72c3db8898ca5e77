import { RSILoop } from 'rsi-loop';

const loop = new RSILoop({ policy: { 'retries.network': 1, 'backoff.baseMs': 10 } });
loop.on('verdict', ({ fix, verdict }) => console.log(`${fix.target} for ${fix.task}: ${verdict.kind}`));

// Your own function. `model`, `signal` and `attempt` come from the settings in force for this one call.
const answer = await loop.run(
  'answer_question',
  async ({ model, attempt }) => {
    if (attempt === 1) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    return `${model} says hello on attempt ${attempt}`;
  },
  // `idempotent: true`: this function may run twice for one task. Leave it out for one that pays, sends or deletes.
  { idempotent: true, models: ['sonnet', 'haiku'], session: 'session-7' },
);
console.log(answer);

loop.start({ everyMs: 60_000 }); // cycles in the background; never keeps the process alive
await loop.close();
