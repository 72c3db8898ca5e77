import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { RSILoop } from 'rsi-loop';
import { DiskWorkspace } from 'rsi-loop/node';
import { draftsBy, namedTexts } from 'rsi-loop/prompts';
import { prove } from 'rsi-loop/prove';

const file = 'prompts/system.md';
const folder = mkdtempSync(join(tmpdir(), 'agent-'));
mkdirSync(join(folder, 'prompts'));
writeFileSync(join(folder, file), 'You answer questions about {{shop}}.\n');
const text = readFileSync(join(folder, file), 'utf8');

// A model server on this machine. How often an answer lacks its sum depends on the system prompt.
let hasChanged = false;
const riskOf = (system: string) => {
  const usual = system.includes('State each sum') === hasChanged ? 0.55 : 0.05;
  return Math.min(0.9, usual + (system.includes('one word') ? 0.35 : 0));
};
const server = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
server.on({ endpoint: 'chat' }, ({ messages }) => ({
  content: Math.random() < riskOf(String(messages[0]?.content)) ? 'It is open.' : 'It is over 12 euros.',
}));
const url = await server.start();

let questions = 0;
async function ask(system: string): Promise<string> {
  const messages = [
    { role: 'system', content: system.replace('{{shop}}', 'our shop') },
    { role: 'user', content: `What is the sum of invoice ${questions++}?` },
  ];
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'small', messages });
  const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
  const { choices } = (await answer.json()) as { choices: { message: { content: string } }[] };
  return choices[0]?.message.content ?? '';
}

// Stand-in for promptWriter({ model }): a useless draft, a harmful one and a good one.
const drafts = ['Thank the reader.', 'Answer in one word.', 'State each sum in euros.'];
const writer = draftsBy({
  name: 'scripted',
  write: async () => drafts.map((line) => ({ text: `${text}${line}\n`, why: 'answers lack sums' })),
});
const loop = new RSILoop({
  workspace: new DiskWorkspace(folder, { files: [file] }),
  prompts: namedTexts({ 'support.system': { text, file } }, { writer }),
});
loop.on('fix-proposed', ({ fix }) => {
  if (fix.change.kind === 'prompt') void loop.approve(fix.id, { by: 'ada' }); // a person reads it first
});

async function work(tasks: number, until: () => boolean) {
  for (let task = 1; task <= tasks && !until(); task++) {
    await loop.run('answer', ({ prompts }) => ask(prompts['support.system'] ?? ''), {
      accept: (answer) => answer.includes('euros') || 'the answer has no sum',
    });
    if (task % 25 === 0) await loop.runCycle();
  }
  await loop.runCycle();
}
const statusOf = (line: string) =>
  loop.fixes({ kind: 'prompt' }).find(({ change }) => change.text === `${text}${line}\n`)?.status;

await work(8_000, () => statusOf('State each sum in euros.') === 'confirmed');
for (const line of drafts) console.log(`${line} ${statusOf(line)}`);
console.log(readFileSync(join(folder, file), 'utf8'));

hasChanged = true; // another version of the model, which the text confuses
await work(8_000, () => loop.prompt('support.system') === text);
console.log(`restored: ${readFileSync(join(folder, file), 'utf8') === text}`);
await loop.close();

// Which lines of a longer prompt help? Two of these twenty matter.
hasChanged = false;
const rules = Array.from({ length: 18 }, (_, rule) => `- Follow rule ${rule + 1} of the house.\n`);
const long = `${text}\n- State each sum in euros.\n- Answer in one word.\n${rules.join('')}`;
const study = await prove('support', long, { seed: 1 });
for (let session = 0; session < 500; session++) {
  const system = await study.text(`session ${session}`);
  const answers = await Promise.all([ask(system), ask(system)]);
  const failures = answers.filter((answer) => !answer.includes('euros')).length;
  await study.end(`session ${session}`, { tasks: 2, failures });
}
for (const { text: line, verdict } of (await study.report()).lines) {
  if (verdict !== 'undecided') console.log(`${line.trim()} ${verdict}`);
}
await server.stop();
