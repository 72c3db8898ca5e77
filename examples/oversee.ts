import { RSILoop } from 'rsi-loop';
import { supervise } from 'rsi-loop/oversee';

const loop = new RSILoop();
const guarded = supervise(loop, {
  budget: { usd: 2, tokens: 500_000, calls: 200, minutes: 10 },
  onAlert: ({ share, limit, resource }) => console.log(`${share * 100} % of ${limit} ${resource} are spent`),
  onStop: ({ why, message, spent }) => console.log(`${why} after ${spent.calls} calls: ${message}`),
});

// Stand-in for a model that costs 0.30 dollars a call.
const ask = async (question: string, _signal: AbortSignal) => ({ text: `about ${question}`, usd: 0.3 });

try {
  await guarded('research', async ({ spend, child, note }) => {
    for (const topic of ['rivers', 'lakes', 'seas']) {
      await child('read', async (part) => {
        for (let page = 1; page <= 3; page++) {
          const question = `${topic}, page ${page}`;
          // Reserved before the call, settled after it: what does not fit is refused beforehand.
          const answer = await part.spend(
            { usd: 0.3 },
            (signal) => ask(question, signal),
            ({ usd }) => ({ usd }),
          );
          note({ tool: 'ask', input: question, result: answer.text });
        }
      });
    }
    await spend({ usd: 0.1 }, (signal) => ask('a summary', signal));
  });
} catch (error) {
  console.log(String(error)); // the reason of the stop, or what your own code threw
}
await loop.close();
