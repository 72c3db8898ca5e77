import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileStore } from 'rsi-loop/node';
import { ManualClock } from 'rsi-loop/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';
import { sealFile } from '../../src/node/line.js';
import { machineProcesses } from '../../src/node/process-identity.js';
import { filesIn, outcome, outcomesIn, testFolder } from './folder.js';
import { bundleRecorder, killAtRandom, startRecorder } from './processes.js';

let script = '';

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-recorder-'));
  script = await bundleRecorder(folder);
  return () => rmSync(folder, { recursive: true, force: true });
});

describe('FileStore in processes that end', { timeout: 300_000 }, () => {
  it.each([
    ['ends by itself', 'end', 0],
    ['calls process.exit', 'exit', 0],
    ['throws', 'throw', 1],
  ])('has every record when the process %s', async (_how, mode, code) => {
    const folder = testFolder();
    const recorder = startRecorder(script, [folder, mode]);
    expect(await recorder.ended).toBe(code);
    expect((await outcomesIn(new FileStore(folder))).length).toBe(1_000);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('has every record after %s, which still ends the process', async (signal) => {
    const folder = testFolder();
    const recorder = startRecorder(script, [folder, 'wait']);
    await recorder.waitFor('written');
    recorder.child.kill(signal);
    expect(await recorder.ended).toBe(signal);
    expect((await outcomesIn(new FileStore(folder))).length).toBe(1_000);
  });

  it('leaves it to a host with a signal handler of its own whether to end', async () => {
    const folder = testFolder();
    const recorder = startRecorder(script, [folder, 'own-handler']);
    await recorder.waitFor('written');
    recorder.child.kill('SIGTERM');
    expect(await recorder.ended).toBe(7);
    expect(recorder.lines).toContain('the host goes on');
    expect((await outcomesIn(new FileStore(folder))).length).toBe(1_000);
  });

  it('loses nothing it acknowledged and doubles nothing when it is killed at random', async () => {
    const folder = testFolder();
    const random = seededRandom(1);
    const report = await killAtRandom({ folder, script, processes: 3, records: 12_000, kills: 300, random });
    console.log(`kills: ${JSON.stringify(report)}`);
    expect(report.broken).toEqual([]);
    expect(report.killed).toBeGreaterThan(200);
  });
});

describe('FileStore in one process', () => {
  it('touches nothing and listens to nothing before its first use, and leaves nothing behind after close()', async () => {
    const folder = testFolder();
    const listeners = () => ['exit', 'beforeExit', 'SIGINT', 'SIGTERM'].map((event) => process.listenerCount(event));
    const before = listeners();
    const clock = new ManualClock();
    const store = new FileStore(join(folder, 'data'), { clock });
    expect(filesIn(folder)).toEqual([]);
    expect(listeners()).toEqual(before);
    expect(clock.pending).toBe(0);
    store.journal.append([outcome(0)]);
    await store.coordination.lease('cycle');
    await store.journal.flush();
    expect(listeners()).toEqual(before.map((count) => count + 1));
    await store.close();
    expect(listeners()).toEqual(before);
    expect(clock.pending).toBe(0);
    expect(filesIn(join(folder, 'data', 'writers'))).toEqual([]);
  });

  it('takes a lease whose holder is gone although another process now has its number', async () => {
    const folder = testFolder();
    const gone = new FileStore(folder);
    const first = await gone.coordination.lease('cycle');
    const { self } = machineProcesses();
    const board = join(folder, 'writers', `${gone.journal.writer}.json`);
    const text = readFileSync(board, 'utf8');
    expect(text).toContain(`"pid":${process.pid}`);
    // The number lives on in this very process, which started at another time.
    const entry = { writer: gone.journal.writer, process: { ...self, started: '1' }, beat: 0, watermarkMs: 0 };
    writeFileSync(board, sealFile('writer', JSON.stringify(entry).slice(1)));
    const next = new FileStore(folder);
    const second = await next.coordination.lease('cycle');
    expect(second?.fence).toBeGreaterThan(first?.fence ?? 0);
    expect(await first?.held()).toBe(false);
    await next.close();
    await gone.close();
  });
});
