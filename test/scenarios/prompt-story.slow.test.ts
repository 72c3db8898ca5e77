import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { RSILoop } from 'rsi-loop';
import { DiskWorkspace, FileStore } from 'rsi-loop/node';
import { draftsBy, namedTexts, type PromptWriter } from 'rsi-loop/prompts';
import { ManualClock } from 'rsi-loop/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashUnit } from '../../src/lib/hash.js';
import { seededRandom } from '../../src/lib/random.js';

const NAME = 'support.system';
const FILE = 'prompts/system.md';
const SYSTEM = '# Support\r\n\r\nYou answer questions about {{shop}}.\r\n';
const DRAFTS = {
  useless: `${SYSTEM}Thank the reader.\r\n`,
  harmful: `${SYSTEM}Answer in one word.\r\n`,
  good: `${SYSTEM}State each sum in euros.\r\n`,
};

const folder = mkdtempSync(join(tmpdir(), 'rsi-prompt-story-'));
const server = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
let url = '';
/** Once true, the model follows the good text badly. */
let hasChanged = false;

/** Share of answers without a sum, by the system prompt that the server gets. */
function rateOf(system: string): number {
  if (system.includes('one word')) return 0.9;
  if (system.includes('State each sum')) return hasChanged ? 0.9 : 0.05;
  return hasChanged ? 0.05 : 0.5;
}

beforeAll(async () => {
  mkdirSync(join(folder, 'prompts'));
  writeFileSync(join(folder, FILE), SYSTEM);
  server.on({ endpoint: 'chat' }, ({ messages }) => {
    const system = String(messages.find(({ role }) => role === 'system')?.content ?? '');
    const question = String(messages.at(-1)?.content ?? '');
    return {
      content: hashUnit(question, 7) < rateOf(system) ? 'The invoice is open.' : 'The invoice is over 12 euros.',
    };
  });
  url = await server.start();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(system: string, question: string): Promise<string> {
  const messages = [
    { role: 'system', content: system.replace('{{shop}}', 'our shop') },
    { role: 'user', content: question },
  ];
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'small', messages }),
  });
  const { choices } = (await response.json()) as { choices: readonly { message: { content: string } }[] };
  return choices[0]?.message.content ?? '';
}

describe('an agent whose answers depend on its prompt', () => {
  it('keeps the one good draft of three, in its file, until it harms', async () => {
    const clock = new ManualClock(Date.UTC(2026, 0, 5));
    const writer: PromptWriter = {
      name: 'scripted',
      write: async () =>
        [DRAFTS.useless, DRAFTS.harmful, DRAFTS.good].map((text) => ({ text, why: 'answers lack sums' })),
    };
    const loop = new RSILoop({
      clock,
      random: seededRandom(3),
      store: new FileStore(join(folder, 'rsi_data'), { clock, writer: 'agent0000000' }),
      workspace: new DiskWorkspace(folder, { files: [FILE] }),
      prompts: namedTexts({ [NAME]: { text: SYSTEM, file: FILE } }, { writer: draftsBy(writer) }),
      // A text that gains less is not wanted, so that a useless one is soon ended.
      smallestGain: 0.2,
    });
    const problems: string[] = [];
    loop.on('problem', ({ message }) => problems.push(message));
    // A person approves what is proposed.
    loop.on('fix-proposed', ({ fix }) => {
      if ('version' in fix.change) void loop.approve(fix.id, { by: 'ann' });
    });
    let questions = 0;
    const work = async (until: () => boolean, most: number) => {
      for (let task = 1; task <= most && !until(); task++) {
        await clock.advance(20_000);
        const question = `What is the sum of invoice ${questions++}?`;
        await loop
          .run('answer', ({ prompts }) => ask(prompts[NAME] ?? '', question), {
            accept: (answer) => answer.includes('euros') || 'the answer has no sum',
          })
          .catch(() => {});
        if (task % 25 === 0) await loop.runCycle();
      }
    };
    const ends = () => loop.fixes({ kind: 'prompt' }).map(({ change, status }) => [change.text, status] as const);
    const statusOf = (text: string) => ends().find(([of]) => of === text)?.[1];

    await work(() => statusOf(DRAFTS.good) === 'confirmed', 3_000);
    expect(Object.values(DRAFTS).map(statusOf)).toEqual(['rolled-back', 'rolled-back', 'confirmed']);
    await loop.runCycle();
    expect(readFileSync(join(folder, FILE), 'utf8')).toBe(DRAFTS.good);
    const backups = readdirSync(join(folder, 'prompts', '.rsi-backups'));
    expect(backups.length).toBeGreaterThan(0);
    const { fix, diff, history } = loop.explain(loop.fixes({ kind: 'prompt', status: 'confirmed' })[0]?.id ?? '');
    expect(diff).toContain('+State each sum in euros.');
    expect(fix).toMatchObject({ wordedBy: 'scripted', written: { path: FILE } });
    expect(history.map((entry) => (entry.kind === 'fix-moved' ? entry.to : entry.kind))).toEqual(
      expect.arrayContaining(['fix-proposed', 'approved', 'trial', 'confirmed', 'change-written']),
    );

    hasChanged = true;
    await work(() => statusOf(DRAFTS.good) === 'rolled-back', 3_000);
    await loop.runCycle();
    expect(statusOf(DRAFTS.good)).toBe('rolled-back');
    expect(readFileSync(join(folder, FILE), 'utf8')).toBe(SYSTEM);
    expect(loop.prompt(NAME)).toBe(SYSTEM);
    expect(problems).toEqual([]);
    await loop.close();
  });
});
