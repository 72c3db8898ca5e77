import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunFolder, type RunStep, type WorkerFunction } from 'rsi-loop/orchestrate';
import { afterAll, describe, expect, it } from 'vitest';
import { MemoryRunStore } from '../../integrations/orchestrate/memory-run-store.js';
import { runStoreContract } from './run-store-contract.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-run-stores-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const worker = async (_: unknown, work: (input: unknown) => unknown): Promise<WorkerFunction> => {
  return ({ input }) => work(input);
};

describe('a folder of runs', () => {
  runStoreContract(() => ({ open: () => new RunFolder(folder), worker }));

  it('stores the steps in progress before it closes', async () => {
    const runs = new RunFolder(folder);
    const steps = [1, 2].map((attempt) => ({ kind: 'began', task: 't', attempt, atMs: attempt }) as const);
    await runs.add('closing', steps[0] as RunStep);
    const added = runs.add('closing', steps[1] as RunStep);
    await runs.close();
    await added;
    expect(await new RunFolder(folder).load('closing')).toEqual(steps);
  });
});

describe('runs in memory', () => {
  const store = new MemoryRunStore();
  runStoreContract(() => ({ open: () => store, worker }));
});
