import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome, OutcomeFields, RSILoop } from 'rsi-loop';
import type { OutcomeField } from 'rsi-loop/kit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const TABLE = '../../src/contract/outcome.js';
let parts: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import('rsi-loop')),
  ...(await import('rsi-loop/node')),
  ...(await import('rsi-loop/kit')),
  ...(await import('../../integrations/cli/export/csv.js')),
  ...(await import('../../integrations/sources/http/schemas.js')),
  ...(await import('../../src/node/check-record.js')),
});

// Loads everything again with one more row in the table, which is all that a new field needs.
beforeAll(async () => {
  vi.resetModules();
  vi.doMock(TABLE, async (original) => {
    const real = await original<typeof import('../../src/contract/outcome.js')>();
    const confidence = { kind: 'number', about: 'Its certainty.', also: 'agentconfidence', unit: 'points', max: 10 };
    return { ...real, OUTCOME_FIELDS: { ...real.OUTCOME_FIELDS, confidence } };
  });
  parts = await load();
  vi.doUnmock(TABLE);
  vi.resetModules();
});

const folder = mkdtempSync(join(tmpdir(), 'rsi-fields-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Records in one process, and reads what another one finds on disk. */
async function throughDisk(record: (loop: RSILoop) => void): Promise<Outcome[]> {
  const { exportOutcomes, FileStore, RSILoop } = parts;
  const path = mkdtempSync(join(folder, 'store-'));
  const problems: string[] = [];
  const first = new RSILoop({ store: new FileStore(path) });
  first.on('problem', ({ message }) => problems.push(message));
  record(first);
  await first.close();
  const second = new RSILoop({ store: new FileStore(path) });
  second.on('problem', ({ message }) => problems.push(message));
  const found: Outcome[] = [];
  for await (const outcome of exportOutcomes(second)) found.push(outcome);
  await second.close();
  expect(problems).toEqual([]);
  return found;
}

const columns = () => parts.CSV_HEAD.trim().split(',');

describe('a row added to the table of fields', () => {
  it('is all that a new field needs, from the caller to the disk and the exports', async () => {
    const typed = { success: true, confidence: 7 } as OutcomeFields;
    const found = await throughDisk(({ observer }) => {
      observer.recordSimple('typed', typed);
      observer.record({ task: 'sent', ok: true, agent_confidence: '7' });
    });
    expect(found).toMatchObject([
      { task: 'typed', confidence: 7 },
      { task: 'sent', confidence: 7 },
    ]);
    for (const outcome of found) {
      expect(outcome).not.toHaveProperty('context');
      expect(parts.csvRow(outcome).trim().split(',')[columns().indexOf('confidence')]).toBe('7');
      expect(parts.isOutcome(outcome)).toBe(true);
      expect(parts.isOutcome({ ...outcome, confidence: 'high' })).toBe(false);
    }
    expect(parts.OUTCOME.properties).toMatchObject({
      confidence: { description: 'Its certainty. In points. Also read as agentconfidence.' },
    });
  });

  it('makes the parser name a value that it cannot read', () => {
    const { outcome, problems } = new parts.RSILoop().observer.read({ task: 't', ok: true, confidence: 11 });
    expect(outcome).not.toHaveProperty('confidence');
    expect(problems).toEqual([{ field: 'confidence', value: '11', expected: 'points from 0 to 10' }]);
  });
});

/** A value of each kind, as it is recorded. */
const EXAMPLES: { readonly [Kind in OutcomeField['kind']]: unknown } = {
  name: 'a name',
  text: 'a text',
  time: 1_767_225_600_000,
  number: 3,
  success: true,
  flag: true,
  names: ['one', 'two'],
  severity: 'high',
  tokens: { input: 12, output: 3, cachedInput: 2 },
  error: { message: 'boom', name: 'TypeError', code: 'E_BOOM', status: 503, retryAfterMs: 20 },
  attempts: [{ delayMs: 0, durationMs: 4, success: false, issue: 'timeout' }],
  object: { region: 'eu', nested: { list: [1] } },
};

describe('each field of the table', () => {
  const rows = () => Object.entries<OutcomeField>(parts.OUTCOME_FIELDS);

  it('comes back from the disk as it was sent, and has a column and a description', async () => {
    const sent = Object.fromEntries(rows().map(([name, { kind }]) => [name, EXAMPLES[kind]]));
    const [found] = await throughDisk((loop) => loop.observer.record(sent));
    expect(found).toEqual(sent);
    const schema = parts.OUTCOME.properties as Readonly<Record<string, unknown>>;
    for (const [name] of rows()) {
      expect(schema[name], name).toMatchObject({ description: expect.any(String) });
      if (['atMs', 'tokens'].includes(name)) continue; // columns of other names
      const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      expect(columns(), name).toContain(column);
    }
  });

  it('is read under each of its spellings', () => {
    const { observer } = new parts.RSILoop();
    for (const [name, { kind, also }] of rows()) {
      for (const spelling of also?.split(' ') ?? []) {
        const sent = { task: 't', success: false, [name]: undefined, [spelling]: EXAMPLES[kind] };
        const { outcome, problems } = observer.read(sent);
        expect(problems, spelling).toEqual([]);
        expect(outcome?.[name as keyof Outcome], spelling).toEqual(EXAMPLES[kind]);
      }
    }
  });
});
