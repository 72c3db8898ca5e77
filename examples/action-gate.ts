import { RSILoop } from 'rsi-loop';
import { tools } from 'rsi-loop/clients/tools';
import { actionGate } from 'rsi-loop/oversee';

const loop = new RSILoop();
const gate = actionGate(loop, { folder: process.cwd(), tiers: { write: 'change', drop: 'destroy' } });
const { write, drop } = tools(
  loop,
  {
    write: async ({ path }: { path: string }) => `wrote ${path}`,
    drop: async ({ table }: { table: string }) => `dropped ${table}`,
  },
  { gate },
);

console.log(await write({ path: 'notes.md' })); // inside the folder: it runs
const dropped = drop({ table: 'tests' }); // waits for a person

// The person: the dashboard, `rsi approve <id>`, or a program.
while (loop.fixes({ status: 'proposed' }).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
const [question] = loop.fixes({ status: 'proposed' });
console.log(`${question?.task}: ${question?.reason}`);
if (question) await loop.approve(question.id, { by: 'you', reason: 'it is a test table' });
console.log(await dropped);
await loop.close();
