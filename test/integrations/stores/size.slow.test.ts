import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PostgresServer, startPostgres, whyNoPostgres } from './postgres-server.js';
import { measureSize } from './size.js';

const why = whyNoPostgres();
let server: PostgresServer;

beforeAll(async () => {
  if (why === undefined) server = await startPostgres();
});
afterAll(() => server?.stop());

describe.skipIf(why)(`a loop with 30 days behind it${why ? ` (${why})` : ''}`, () => {
  it('reads at its start and in a cycle what is new, however much is stored', async () => {
    const options = { added: 200, cycles: 3 };
    const small = await measureSize(server, { ...options, rows: 1_500 });
    const large = await measureSize(server, { ...options, rows: 15_000 });
    for (const { startRows, cycleRows, daysLeft } of [small, large]) {
      expect(startRows).toBeLessThan(100);
      expect(cycleRows).toBeGreaterThanOrEqual(200);
      expect(cycleRows).toBeLessThan(400);
      // 30 days and the next two, without the oldest.
      expect(daysLeft).toBe(31);
    }
  });
});
