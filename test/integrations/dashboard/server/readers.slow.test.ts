import { mkdtempSync, rmSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { partsOf } from '../../../../src/live/loop-parts.js';
import { recordWeek, TestDashboard } from './dashboard-fixture.js';

const MB = 1_048_576;
const READERS = 50;
const ROUNDS = 20;

let folder = '';
let loop: RSILoop;
let test: TestDashboard;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-dashboard-'));
  loop = new RSILoop({ store: new FileStore(join(folder, 'store')), autoFix: false });
  recordWeek(loop);
  await loop.runCycle();
  test = await TestDashboard.open(loop, folder);
});

afterAll(async () => {
  await test.close();
  await loop.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens an event stream; resolves when the server has answered. */
function openReader(): Promise<ClientRequest> {
  return new Promise((done, fail) => {
    const sending = request(`${test.url}/api/events`, { agent: false, headers: { 'last-event-id': '0-0' } });
    sending.on('response', (response) => {
      response.on('error', () => {}).resume();
      done(sending);
    });
    sending.on('error', fail).end();
  });
}

/** Returns the heap in use after a collection. */
function usedHeap(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

describe('a dashboard with readers that come and go', () => {
  it(`keeps its memory: ${READERS * ROUNDS} streams, each round with 50 views and 300 events`, async () => {
    const heaps: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const readers = await Promise.all(Array.from({ length: READERS }, openReader));
      for (let count = 0; count < 300; count++) {
        partsOf(loop).events.emit({
          kind: 'burst',
          task: `task ${round} ${count} ${'x'.repeat(500)}`,
          issue: 'network',
          fingerprint: 'f',
          count: 9,
          atMs: Date.now(),
        });
      }
      await Promise.all(Array.from({ length: 50 }, (_, one) => test.send(`/api/patterns?unused=${round}-${one}`)));
      for (const reader of readers) reader.destroy();
      heaps.push(usedHeap());
    }
    const [early = 0, late = 0] = [heaps.slice(5, 10), heaps.slice(-5)].map((part) => Math.min(...part));
    expect(late - early).toBeLessThan(2 * MB);
  }, 120_000);
});
