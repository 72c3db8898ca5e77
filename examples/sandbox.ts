import { openSandbox } from 'rsi-loop/sandbox';

const sandbox = openSandbox();

// Code that a model wrote, for example.
const code = `
  export default async (input: { csv: string }, host) => {
    host.log('lines:', input.csv.split('\\n').length);
    return { total: input.csv.split('\\n').reduce((sum, line) => sum + Number(line.split(',')[1]), 0) };
  };
`;
const answer = await sandbox.run(
  { language: 'typescript', code, hash: 'csv-total-1' },
  { csv: 'a,1\nb,2' },
  { limits: { timeMs: 1_000, memoryBytes: 32 * 1024 * 1024 }, allow: { read: ['./data'] } },
);
if (answer.kind === 'answer') console.log(answer.output, answer.log);
else console.log(`failed (${answer.reason}): ${answer.message}`);
await sandbox.close();
