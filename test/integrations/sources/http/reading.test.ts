import { type IncomingMessage, request } from 'node:http';
import { type Fix, type JournalRecord, MemoryStore, mark, reportProblem } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestServer } from './server.js';

let clock: ManualClock;
let store: MemoryStore;
let server: TestServer;

/** A loop that knows a failing task and waits for an answer to its proposal. */
beforeEach(async () => {
  clock = new ManualClock();
  store = new MemoryStore({ clock });
  server = new TestServer({ store, clock, autoFix: false });
  for (let call = 0; call < 120; call++) {
    const end = call % 5 === 0 ? { success: false, error: 'read ECONNRESET' } : { success: true };
    server.loop.begin('fetch "page"\\', { model: 'sonnet' }).end(end);
    await clock.advance(1_000);
  }
  await server.loop.runCycle();
  await server.open({ clock });
});
afterEach(() => server.close());

const proposal = () => server.loop.fixes()[0] as Fix;

describe('GET', () => {
  it('/health, /patterns, /fixes, /policy and /advice give what the loop says', async () => {
    const { loop } = server;
    const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
    loop.sources.attach({ name: 'drop-folder', attach: () => () => {} });
    const health = { ...plain(loop.health()), sources: ['http', 'drop-folder'], durability: loop.durability };
    expect((await server.send('/health')).json).toEqual(health);
    expect((await server.send('/patterns')).json).toEqual({ patterns: plain(loop.patterns()) });
    expect((await server.send('/fixes')).json).toEqual({ fixes: plain(loop.fixes()) });
    expect((await server.send('/fixes?status=trial')).json).toEqual({ fixes: [] });
    const task = encodeURIComponent('fetch "page"\\');
    expect((await server.send(`/policy?task=${task}&model=sonnet`)).json).toEqual({
      task: 'fetch "page"\\',
      policy: plain(loop.policy('fetch "page"\\', { model: 'sonnet' })),
    });
    expect((await server.send(`/advice?task=${task}&session=s1`)).json).toEqual({ advice: [] });
    expect(loop.patterns()).toHaveLength(1);
  });

  it('says which question cannot be answered', async () => {
    const replies = [
      await server.send('/policy'),
      await server.send('/fixes?status=maybe'),
      await server.send('/events?kinds=x'),
    ];
    expect(replies.map(({ status, json }) => [status, json.field])).toEqual([
      [400, 'task'],
      [400, 'status'],
      [400, 'kinds'],
    ]);
    const unknown = await server.send('/secrets');
    expect([unknown.status, unknown.json.detail]).toEqual([404, expect.stringContaining('/openapi.json')]);
  });

  it('changes nothing', async () => {
    const state = async () => {
      const records: JournalRecord[] = [];
      for await (const { record } of store.journal.read()) records.push(record);
      return JSON.stringify([records.length, await store.ledger.head(), server.loop.fixes(), server.loop.patterns()]);
    };
    const before = await state();
    const paths = ['/health', '/patterns', '/fixes', '/policy?task=a', '/advice', '/metrics', '/openapi.json'];
    for (const path of paths) {
      expect((await server.send(path)).status, path).toBe(200);
      expect((await server.send(path, { method: 'HEAD' })).status, path).toBe(200);
    }
    expect(await state()).toBe(before);
  });

  it('/metrics speaks the text format of Prometheus, names escaped', async () => {
    await server.post('/observe', [{ task: 'a' }]);
    const { headers, text } = await server.send('/metrics');
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(text.endsWith('\n')).toBe(true);
    const seen = new Set<string>();
    let current = '';
    for (const line of text.trimEnd().split('\n')) {
      const head = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line);
      if (head?.[1] === 'HELP') {
        current = head[2] ?? '';
        expect(seen.has(current), `${current} is described once`).toBe(false);
        seen.add(current);
      } else if (head) {
        expect([head[2], ['counter', 'gauge'].includes(head[3] ?? '')]).toEqual([current, true]);
      } else {
        const sample =
          /^([a-zA-Z_:][\w:]*)(\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)+\})? (-?[\d.]+(?:e[+-]?\d+)?|NaN|[+-]Inf)$/.exec(
            line,
          );
        expect(sample?.[1], line).toBe(current);
      }
    }
    expect(text).toContain('rsi_task_health_score{task="fetch \\"page\\"\\\\"} 0.');
    expect(text).toContain('rsi_fixes{status="proposed"} 1\n');
    expect(text).toContain('rsi_outcomes_total{result="refused"} 1\n');
    expect(text).toContain('rsi_http_refusals_total{status="400"} 1\n');
    expect(text).toContain('rsi_http_requests_total 2\n');
  });
});

describe('POST /fixes/:id', () => {
  it('approve, reject and rollback stand in the ledger under the name of who decided', async () => {
    const { id } = proposal();
    const approved = await server.post(`/fixes/${id}/approve`, { by: 'ada', reason: 'worth a try', noise: 1 });
    expect([approved.status, (approved.json.fix as Fix).status]).toEqual([200, 'approved']);
    await server.loop.runCycle();
    const back = await server.post(`/fixes/${id}/rollback`, { by: 'ada' });
    expect([back.status, (back.json.fix as Fix).status]).toEqual([200, 'rolled-back']);
    const history = server.loop.explain(id).history;
    expect(history.map((entry) => (entry.kind === 'fix-moved' ? [entry.to, entry.by] : []))).toContainEqual([
      'approved',
      'ada',
    ]);
  });

  it('reject turns a proposal down, with a reason', async () => {
    const { id } = proposal();
    const missing = await server.post(`/fixes/${id}/reject`, { by: 'ada' });
    expect([missing.status, missing.json.field]).toEqual([400, 'reason']);
    const unnamed = await server.post(`/fixes/${id}/reject`, { by: ' ', reason: 'no' });
    expect([unnamed.status, unnamed.json.field]).toEqual([400, 'by']);
    expect(proposal().status).toBe('proposed');
    const refused = await server.post(`/fixes/${id}/reject`, { by: 'ada', reason: 'not here' });
    expect((refused.json.fix as Fix).status).toBe('rejected');
    const again = await server.post(`/fixes/${id}/approve`, { by: 'ada' });
    expect([again.status, again.json.field]).toEqual([409, 'id']);
    const unknown = await server.post('/fixes/fix-nope/approve', { by: 'ada' });
    expect([unknown.status, unknown.json.field]).toEqual([404, 'id']);
    expect(unknown.json.detail).toContain('GET /fixes lists');
    expect(unknown.json.detail).not.toContain('loop.');
  });
});

describe('GET /events', () => {
  it('tells what happens as it happens, of the kinds that were asked for', async () => {
    const reader = await EventReader.open(server.url, '/events?kinds=fix-approved,problem');
    await server.post(`/fixes/${proposal().id}/approve`, { by: 'ada' });
    mark(server.loop, 'deploy', '1.2');
    reportProblem(server.loop, 'test', 'two\nlines');
    const [approved, problem] = await reader.next(2);
    expect(approved).toMatchObject({
      event: 'fix-approved',
      data: { kind: 'fix-approved', fix: { status: 'approved' } },
    });
    expect(problem).toMatchObject({ event: 'problem', data: { where: 'test', message: 'two\nlines' } });
    reader.close();
  });

  it('gives a reader that comes back what it missed', async () => {
    const reader = await EventReader.open(server.url, '/events');
    reportProblem(server.loop, 'test', 'first');
    const [first] = await reader.next(1);
    reader.close();
    reportProblem(server.loop, 'test', 'second');
    const back = await EventReader.open(server.url, '/events', { 'last-event-id': first?.id ?? '' });
    expect((await back.next(1)).map(({ data }) => data.message)).toEqual(['second']);
    back.close();
  });

  it('beats while nothing happens, and ends when the server closes', async () => {
    const reader = await EventReader.open(server.url, '/events');
    await clock.advance(15_000);
    await reader.until(':\n\n');
    await server.closeServer();
    await reader.ended;
  });

  it('has room for so many readers', async () => {
    await server.closeServer();
    await server.open({ clock, limits: { eventReaders: 1 } });
    const reader = await EventReader.open(server.url, '/events');
    const second = await server.send('/events');
    expect([second.status, second.headers['retry-after']]).toEqual([429, '10']);
    reader.close();
  });
});

interface Told {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads server-sent events as the standard says. */
class EventReader {
  readonly ended: Promise<void>;
  readonly #response: IncomingMessage;
  #text = '';
  #read = 0;
  #wake = () => {};

  private constructor(response: IncomingMessage) {
    this.#response = response;
    response.setEncoding('utf8').on('data', (chunk: string) => {
      this.#text += chunk;
      this.#wake();
    });
    this.ended = new Promise((resolve) => response.once('close', resolve));
  }

  static open(url: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<EventReader> {
    return new Promise((resolve, reject) => {
      const asked = request(`${url}${path}`, { headers: { connection: 'close', ...headers } });
      asked.on('error', reject).on('response', (response) => {
        expect(response.headers['content-type']).toBe('text/event-stream');
        const reader = new EventReader(response);
        // Connected once it says when to come back.
        reader.until('retry:').then(() => resolve(reader), reject);
      });
      asked.end();
    });
  }

  async until(text: string): Promise<void> {
    while (!this.#text.includes(text)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async next(count: number): Promise<Told[]> {
    for (;;) {
      const all = this.#text
        .split('\n\n')
        .slice(0, -1)
        .filter((block) => block.includes('data:'));
      if (all.length >= this.#read + count) {
        const blocks = all.slice(this.#read, this.#read + count);
        this.#read += count;
        return blocks.map((block) => {
          const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
          return { id: field('id'), event: field('event'), data: JSON.parse(field('data')) };
        });
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#response.destroy();
  }
}
