import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryStore, type Outcome } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IdSet } from '../../../../integrations/sources/import/id-set.js';
import { importInto, importTraces } from '../../../../integrations/sources/import/index.js';
import { Transcript } from './transcript.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-import-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const session = () =>
  new Transcript('s-1')
    .call('a', 'Bash')
    .result('a', 'Exit code 1\nno', { error: true })
    .call('b', 'Read')
    .result('b', 'x');

describe('importTraces', () => {
  it('reads a path, several, and a stream', async () => {
    const path = join(folder, 's.jsonl');
    writeFileSync(path, session().text);
    async function* stream() {
      yield Buffer.from(session().text);
    }
    for (const source of [path, [path], stream()]) {
      const outcomes: Outcome[] = [];
      for await (const batch of importTraces(source)) outcomes.push(...batch.outcomes);
      expect(outcomes.map(({ task }) => task).sort()).toEqual(['Bash', 'Read', 'model_call', 'model_call']);
    }
  });
});

describe('importInto', () => {
  it('writes outcomes under their own ids; the same again adds nothing, what is new is added', async () => {
    const path = join(folder, 's.jsonl');
    const store = new FileStore(join(folder, 'store'));
    writeFileSync(path, session().text);
    expect(await importInto(store, path)).toMatchObject({
      written: 4,
      failures: 1,
      known: 0,
      formats: { 'claude-code': 4 },
    });
    writeFileSync(path, session().call('c', 'Grep').result('c', 'x').text);
    await store.close();
    const again = new FileStore(join(folder, 'store'));
    expect(await importInto(again, path)).toMatchObject({ written: 2, failures: 0, known: 4 });
    const ids: string[] = [];
    for await (const { record } of again.journal.read()) if (record.kind === 'outcome') ids.push(record.outcome.id);
    expect(new Set(ids).size).toBe(6);
    expect(ids).toHaveLength(6);
    await again.close();
  });

  it('lets one import at a time write into a store', async () => {
    const store = new MemoryStore();
    const lease = await store.coordination.lease('import');
    await expect(importInto(store, folder)).rejects.toThrow('another import');
    await lease?.release();
    await expect(importInto(store, folder)).resolves.toMatchObject({ written: 0 });
  });

  it('stops and says so when the store cannot keep what is written', async () => {
    const path = join(folder, 's.jsonl');
    writeFileSync(path, session().text);
    const full = new MemoryStore();
    const append = full.journal.append.bind(full.journal);
    full.journal.append = (records) => {
      full.journal.close();
      append(records);
    };
    await expect(importInto(full, path)).rejects.toThrow('the import stopped: 2 records came after close()');
  });
});

describe('IdSet', () => {
  it('knows every id it was given, and no other', () => {
    const ids = new IdSet();
    const id = (index: number) => `0mnfteybc-session-${index % 7}-${index}`;
    for (let index = 0; index < 50_000; index++) expect(ids.add(id(index))).toBe(true);
    for (let index = 0; index < 50_000; index += 97) expect(ids.add(id(index))).toBe(false);
    expect(ids.size).toBe(50_000);
  });
});

const samples = join(import.meta.dirname, '../../../../../shared/data/traces');

describe.skipIf(!existsSync(samples))('the sample traces', () => {
  it.each([
    ['claude-code', 223, 6, {}],
    ['codex', 184, 12, {}],
    ['gemini-cli', 6, 0, {}],
    ['swe-agent', 26, 6, { agent_run: [2, 0] }],
    ['openhands', 6, 0, { agent_run: [2, 0] }],
    ['otlp', 4, 0, { 'GitHub Copilot': [1, 0] }],
    ['otel-spans', 29, 0, { any_agent: [2, 0] }],
    ['inspect-ai', 16, 11, { popularity: [3, 1], bash: [10, 10] }],
  ])('hold in %s %i outcomes, %i failed', async (name, count, failures, tasks) => {
    const problems: string[] = [];
    const found = new Map<string, [number, number]>();
    const total: [number, number] = [0, 0];
    for await (const { outcomes } of importTraces(join(samples, name), {
      onProblem: ({ reason }) => problems.push(reason),
    })) {
      for (const { task, success } of outcomes) {
        const counts = found.get(task) ?? [0, 0];
        found.set(task, counts);
        for (const each of [counts, total]) {
          each[0]++;
          if (!success) each[1]++;
        }
      }
    }
    expect(problems).toEqual([]);
    expect(total).toEqual([count, failures]);
    expect(Object.fromEntries(Object.keys(tasks).map((task) => [task, found.get(task)]))).toEqual(tasks);
  });
});
