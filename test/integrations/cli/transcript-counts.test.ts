import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { countTranscript } from '../../../integrations/cli/prove/transcript-counts.js';
import { testFolder } from '../../node/folder.js';

const SESSIONS = resolve(import.meta.dirname, '../../../../shared/data/sessions');
const START_MS = Date.parse('2026-03-01T10:00:00Z');

/** Minutes after the start, as a transcript writes them. */
const at = (minutes: number) => new Date(START_MS + minutes * 60_000).toISOString();

function written(rows: readonly object[]): string {
  const path = join(testFolder(), 'session.jsonl');
  writeFileSync(path, rows.map((row) => JSON.stringify(row)).join('\n'));
  return path;
}

const asks = (minutes: number, content: unknown) => ({
  type: 'user',
  sessionId: 's',
  timestamp: at(minutes),
  message: { role: 'user', content },
});
let answers = 0;
const says = (minutes: number, block: object, usage = { input_tokens: 100, output_tokens: 20 }) => ({
  type: 'assistant',
  sessionId: 's',
  timestamp: at(minutes),
  message: { id: `m${answers++}`, model: 'large', role: 'assistant', content: [block], usage },
});
const text = (said: string) => ({ type: 'text', text: said });
const edit = {
  type: 'tool_use',
  id: 't1',
  name: 'Edit',
  input: { file_path: 'a.ts', old_string: 'a', new_string: 'b' },
};
const edited = [{ type: 'tool_result', tool_use_id: 't1', content: 'done' }];

const CLAUDE = [
  asks(0, 'fix it'),
  says(1, edit),
  asks(2, edited),
  says(3, text('All tests pass.')),
  asks(10, 'and the docs'),
  says(12, text('I am looking at them.'), { input_tokens: 50, output_tokens: 10 }),
  asks(13, '[Request interrupted by user]'),
  asks(14, 'thanks'),
  says(15, text('You are welcome.')),
];

describe('what a transcript shows of a session', () => {
  it('counts turns, claims that were not seen, interrupts, tokens and the time of the work', async () => {
    expect(await countTranscript(written(CLAUDE), START_MS)).toEqual({
      turns: 3,
      claims: 1,
      interrupts: 1,
      tokens: 120 + 120 + 60 + 120,
      workMs: (3 + 2 + 1) * 60_000,
    });
  });

  it('leaves out the turns before the session was resumed', async () => {
    expect(await countTranscript(written(CLAUDE), START_MS + 9 * 60_000)).toEqual({
      turns: 2,
      claims: 0,
      interrupts: 1,
      tokens: 180,
      workMs: 3 * 60_000,
    });
  });

  it('counts sessions of Codex', async () => {
    const item = (minutes: number, payload: object) => ({ type: 'response_item', timestamp: at(minutes), payload });
    const said = (role: string, words: string) => ({ type: 'message', role, content: [{ type: 'text', text: words }] });
    const used = (total: number) => ({
      type: 'event_msg',
      timestamp: at(2),
      payload: {
        type: 'token_count',
        info: { total_token_usage: { total_tokens: total }, last_token_usage: { input_tokens: 70, output_tokens: 5 } },
      },
    });
    const rows = [
      { type: 'session_meta', timestamp: at(0), payload: { id: 'c', cwd: '/w' } },
      item(0, said('user', 'fix it')),
      item(2, said('assistant', 'I changed it.')),
      used(75),
      item(3, said('user', 'more')),
      { type: 'event_msg', timestamp: at(4), payload: { type: 'turn_aborted' } },
    ];
    expect(await countTranscript(written(rows), START_MS)).toEqual({
      turns: 2,
      claims: 0,
      interrupts: 1,
      tokens: 75,
      workMs: 2 * 60_000,
    });
  });

  it('finds no turn where no transcript was written, and rejects a file that is none', async () => {
    const folder = testFolder();
    expect(await countTranscript(join(folder, 'none.jsonl'), 0)).toMatchObject({ turns: 0, tokens: 0 });
    writeFileSync(join(folder, 'other.txt'), 'hello');
    await expect(countTranscript(join(folder, 'other.txt'), 0)).rejects.toThrow('cannot be counted as a session');
  });

  it.runIf(existsSync(SESSIONS))('counts real sessions: each has turns, tokens and time', async () => {
    const folder = testFolder();
    const names = readdirSync(SESSIONS).filter((name) => name.endsWith('.gz'));
    let [turns, claims, interrupts] = [0, 0, 0];
    for (const name of names) {
      const path = join(folder, name.slice(0, -3));
      writeFileSync(path, gunzipSync(readFileSync(join(SESSIONS, name))));
      const counts = await countTranscript(path, 0);
      expect(counts.turns, name).toBeGreaterThan(0);
      expect(counts.tokens / counts.turns, name).toBeGreaterThan(10_000);
      expect(counts.workMs, name).toBeGreaterThan(0);
      expect(counts.claims + counts.interrupts, name).toBeLessThanOrEqual(2 * counts.turns);
      turns += counts.turns;
      claims += counts.claims;
      interrupts += counts.interrupts;
    }
    expect(turns).toBeGreaterThan(100);
    expect(claims).toBeGreaterThan(0);
    expect(interrupts / turns).toBeGreaterThan(0.05);
  });
});
