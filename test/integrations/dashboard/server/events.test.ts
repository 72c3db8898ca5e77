import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DashboardEvent } from '../../../../integrations/dashboard/views.js';
import { partsOf } from '../../../../src/live/loop-parts.js';
import { recordWeek, TestDashboard } from './dashboard-fixture.js';

let folder = '';
let clock: ManualClock;
let loop: RSILoop;
let test: TestDashboard;
const readers: Reader[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-dashboard-'));
  clock = new ManualClock();
  loop = new RSILoop({ store: new FileStore(join(folder, 'store')), autoFix: false, clock });
  recordWeek(loop);
  await loop.runCycle();
  test = await TestDashboard.open(loop, folder, { clock });
});

afterEach(async () => {
  for (const reader of readers.splice(0)) reader.leave();
  await test.close();
  await loop.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Received {
  readonly id: string;
  readonly event: DashboardEvent;
}

/** Reader of events, like a browser's. */
class Reader {
  readonly received: Received[] = [];
  beats = 0;
  hasEnded = false;
  status = 0;
  #text = '';
  #response: IncomingMessage | undefined;
  #wake: () => void = () => {};

  static async open(headers: Readonly<Record<string, string>> = {}): Promise<Reader> {
    const reader = new Reader();
    readers.push(reader);
    await new Promise<void>((done, fail) => {
      const sending = request(`${test.url}/api/events`, { headers: { connection: 'close', ...headers } });
      sending.on('error', fail).on('response', (response) => {
        reader.#response = response;
        reader.status = response.statusCode ?? 0;
        response.setEncoding('utf8').on('data', (text: string) => reader.#read(text));
        response.on('error', () => {});
        response.on('close', () => {
          reader.hasEnded = true;
          reader.#wake();
        });
        response.once('data', () => done());
      });
      sending.end();
    });
    return reader;
  }

  leave(): void {
    this.#response?.destroy();
  }

  /** Resolves when `is` holds; events arrive by themselves, so nothing is polled. */
  async until(is: (reader: Reader) => boolean): Promise<void> {
    while (!is(this)) await new Promise<void>((done) => (this.#wake = done));
  }

  get changed(): readonly Received[] {
    return this.received.filter(({ event }) => event.kind === 'changed');
  }

  #read(text: string): void {
    this.#text += text;
    const parts = this.#text.split('\n\n');
    this.#text = parts.pop() ?? '';
    for (const part of parts) {
      if (part === ':') this.beats++;
      const [, id, data] = /^id: (\S+)\ndata: (.*)$/.exec(part) ?? [];
      if (id !== undefined && data !== undefined) this.received.push({ id, event: JSON.parse(data) });
    }
    this.#wake();
  }
}

/** Lets timers run that are due, with the file system work that they begin. */
async function pass(ms: number): Promise<void> {
  await clock.advance(ms);
  for (let count = 0; count < 20; count++) await new Promise((done) => setImmediate(done));
}

describe('the events of the dashboard', () => {
  it('tell a reader what changed, at most once a second', async () => {
    const reader = await Reader.open();
    await test.send('/api/overview');
    await loop.freeze({ by: 'ada', reason: 'release' });
    await loop.unfreeze({ by: 'ada' });
    for (let count = 0; count < 5; count++) {
      await loop.runCycle();
      await pass(1_000);
      await test.send('/api/overview');
    }
    await pass(1_000);
    await reader.until(({ changed }) => changed.length > 0);
    expect(reader.changed.length).toBeLessThanOrEqual(6);
    const views = new Set(reader.changed.flatMap(({ event }) => (event.kind === 'changed' ? event.views : [])));
    expect(views).toContain('ledger');
    expect(new Set(reader.received.map(({ id }) => id)).size).toBe(reader.received.length);
  });

  it('come after a change while a page is open, without a request', async () => {
    const reader = await Reader.open();
    await test.send('/api/overview');
    await pass(2_000);
    const before = reader.changed.length;
    await loop.freeze({ by: 'ada', reason: 'release' });
    const isKnown = () =>
      reader.changed.slice(before).some(({ event }) => event.kind === 'changed' && event.views.includes('review'));
    // Reading takes real time, so the number of seconds that pass meanwhile is not fixed.
    while (!isKnown()) await pass(1_000);
  });

  it('catch a reader up after a broken connection, and give nothing twice', async () => {
    const first = await Reader.open();
    happen(3);
    await first.until(({ received }) => received.length >= 3);
    const last = first.received[0]?.id ?? '';
    first.leave();
    happen(2);
    const second = await Reader.open({ 'last-event-id': last });
    await second.until(({ received }) => received.length >= 4);
    const sentences = [...first.received.slice(0, 1), ...second.received].map(({ event }) =>
      event.kind === 'happened' ? event.sentence : event.kind,
    );
    expect(sentences).toHaveLength(5);
    expect(new Set([...first.received.slice(0, 1), ...second.received].map(({ id }) => id)).size).toBe(5);
    const third = await Reader.open();
    expect(third.received).toEqual([]);
    // The id of a server that was restarted since: everything may be new.
    const stranger = await Reader.open({ 'last-event-id': 'abc-99' });
    await stranger.until(({ received }) => received.length >= 5);
  });

  it('beat every 15 seconds, so that no proxy ends them', async () => {
    const reader = await Reader.open();
    for (let count = 0; count < 3; count++) await pass(15_000);
    await reader.until(({ beats }) => beats >= 3);
  });

  it('are for 100 readers at a time', async () => {
    const many = await Promise.all(Array.from({ length: 100 }, () => Reader.open()));
    expect(many.every(({ status }) => status === 200)).toBe(true);
    const { status, json } = await test.send('/api/events');
    expect([status, json.message]).toEqual([429, expect.stringContaining('100 readers are connected')]);
    many[0]?.leave();
    await many[0]?.until(({ hasEnded }) => hasEnded);
    let next = 429;
    while (next === 429) next = (await Reader.open()).status;
    expect(next).toBe(200);
  });

  it('end with the session of the reader', async () => {
    await test.close();
    const token = 'a-token-of-many-characters';
    test = await TestDashboard.open(loop, folder, { clock, token });
    const visit = await test.visit(token);
    const reader = await Reader.open(visit.headers);
    await test.post('/api/logout', {}, visit.headers);
    happen(1);
    await reader.until(({ hasEnded }) => hasEnded);
    expect(reader.received).toEqual([]);
  });

  it('end when the dashboard closes', async () => {
    const reader = await Reader.open();
    await test.dashboard.close();
    await reader.until(({ hasEnded }) => hasEnded);
  });

  it('limit what happens at once, such as a first cycle with thousands of patterns', async () => {
    const reader = await Reader.open();
    happen(300);
    await clock.advance(1_000);
    happen(1);
    await reader.until(({ received }) => received.length >= 21);
    expect(reader.received.filter(({ event }) => event.kind === 'happened')).toHaveLength(21);
  });
});

/** Makes the loop emit so many events that a person reads. */
function happen(times: number): void {
  for (let count = 0; count < times; count++) {
    partsOf(loop).events.emit({
      kind: 'burst',
      task: `task ${count}`,
      issue: 'network',
      fingerprint: 'f',
      count: 9,
      atMs: clock.now(),
    });
  }
}
