import { MemoryStore } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { TestServer } from './server.js';

let server: TestServer;
afterEach(() => server.close());

async function labels(store: MemoryStore): Promise<string[]> {
  const found: string[] = [];
  for await (const { entry } of store.ledger.read()) {
    if (entry.kind === 'marked') found.push(`${entry.what} ${entry.label} ${entry.by}`);
  }
  return found;
}

describe('POST /markers', () => {
  it('notes a deploy in the ledger, once however many processes report it', async () => {
    const store = new MemoryStore();
    server = await new TestServer({ store }).open();
    for (let process = 0; process < 3; process++) {
      const marked = await server.post('/markers', { label: 'checkout 1.4.2' });
      expect([marked.status, marked.json]).toMatchObject([201, { kind: 'deploy', label: 'checkout 1.4.2' }]);
    }
    await server.post('/markers', { kind: 'switch', label: 'cache off', by: 'ada' });
    expect(await labels(store)).toEqual(['deploy checkout 1.4.2 http', 'switch cache off ada']);
  });

  it('rejects what is no marker, and slows down a sender that adds them without end', async () => {
    const store = new MemoryStore();
    server = await new TestServer({ store }).open({ clock: new ManualClock() });
    for (const body of [{}, { label: '' }, { label: 'x', kind: 'k'.repeat(41) }, { label: 7 }]) {
      expect((await server.post('/markers', body)).status).toBe(400);
    }
    const statuses = await Promise.all(
      Array.from({ length: 110 }, async (_, index) => (await server.post('/markers', { label: `v${index}` })).status),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect(await labels(store)).toHaveLength(100);
  });
});
