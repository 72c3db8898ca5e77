import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Outcome, RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InputProblem } from '../../../../integrations/sources/import/importer.js';
import { readInputs } from '../../../../integrations/sources/import/read-inputs.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-store-'));
const recorded: Outcome[] = [];
let segment = '';
let text = '';
beforeAll(async () => {
  const store = new FileStore(folder);
  const loop = new RSILoop({ store });
  for (let call = 0; call < 30; call++) {
    const failed = call % 3 === 0;
    loop.observer.recordSimple('search', {
      success: !failed,
      session: call === 7 ? 'forget-me' : 's1',
      model: 'sonnet',
      durationMs: 10 * call,
      ...(failed && { error: Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }) }),
    });
  }
  const task = loop.begin('answer', {});
  task.end({ success: true });
  await loop.runCycle();
  await loop.freeze({ by: 'ada' });
  await loop.flush();
  for await (const { record } of store.journal.read()) if (record.kind === 'outcome') recorded.push(record.outcome);
  await store.snapshots.save('snapshot', { task: 'a state, not an outcome', success: false }, 0);
  await store.erase({ session: 'forget-me' });
  await loop.close();
  segment = join(folder, 'journal', readdirSync(join(folder, 'journal'))[0] ?? '');
  text = readFileSync(segment, 'utf8');
});
beforeEach(() => writeFileSync(segment, text));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(path: string) {
  const outcomes: Outcome[] = [];
  const problems: InputProblem[] = [];
  const reading = readInputs([path], { onProblem: (problem) => problems.push(problem) });
  for await (const batch of reading) outcomes.push(...batch.outcomes);
  return { outcomes, problems, summary: reading.summary };
}

/** A line as the store seals it. */
function sealed(rest: string): string {
  return `{"crc":"${crc32(rest).toString(16).padStart(8, '0')}",${rest}`;
}

describe('the folder of a loop', () => {
  it('gives the outcomes as they were recorded, without those that were erased', async () => {
    const { outcomes, problems, summary } = await read(folder);
    expect(problems).toEqual([]);
    expect(recorded).toHaveLength(31);
    expect(outcomes).toEqual(recorded.filter(({ session }) => session !== 'forget-me'));
    expect(outcomes[0]).toMatchObject({ task: 'search', issues: ['network'], error: { code: 'ECONNRESET' } });
    // Ledger, heads, leases, states and who writes are no input, and no problem either.
    expect(summary).toMatchObject({ filesRead: 1, filesFailed: 0, skipped: 0, leftOut: {} });
    expect(summary.filesIgnored).toBeGreaterThan(3);
  });

  it('names a damaged line, and reads all others', async () => {
    const lines = text.split('\n');
    lines[4] = lines[4]?.replace('"success":', '"succesS":') ?? '';
    writeFileSync(segment, lines.join('\n'));
    const { outcomes, problems } = await read(folder);
    expect(outcomes).toHaveLength(29);
    expect(problems).toEqual([
      { path: segment, line: 5, reason: 'fails its checksum: damaged, or still being written' },
    ]);
  });

  it('takes nothing on trust that has a right checksum', async () => {
    const hostile = [
      '{"task":[],"success":true}',
      '"text"',
      'null',
      '{"task":"t","success":false,"atMs":"x","weight":-1}',
    ];
    const lines = hostile.map((outcome, n) => sealed(`"n":${100 + n},"kind":"outcome","outcome":${outcome}}`));
    writeFileSync(segment, `${text.split('\n')[0]}\n${lines.join('\n')}\n`);
    const { outcomes, problems } = await read(segment);
    expect(outcomes).toEqual([]);
    expect(problems.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
    expect(problems[3]?.reason).toContain('wrong content');
  });

  it('says of a segment of a newer version what to do', async () => {
    writeFileSync(
      segment,
      `${sealed('"format":3,"kind":"journal","writer":"w","from":0}')}\n${sealed('"n":0,"new":1}')}\n`,
    );
    const { outcomes, problems } = await read(segment);
    expect(outcomes).toEqual([]);
    expect(problems).toMatchObject([{ path: segment, reason: expect.stringContaining('upgrade rsi-loop') }]);
  });
});
