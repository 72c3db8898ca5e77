import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestDashboard } from './dashboard-fixture.js';

let folder = '';
let loop: RSILoop;
let test: TestDashboard;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-dashboard-'));
  loop = new RSILoop({ store: new FileStore(join(folder, 'store')) });
  for (let index = 0; index < 20; index++) {
    loop.observer.record({
      task: 'fetch_page',
      success: index % 2 === 0,
      error: index % 2 ? 'ECONNRESET' : undefined,
      session: `s${index % 3}`,
      model: 'sonnet',
    });
  }
  await loop.runCycle();
  test = await TestDashboard.open(loop, folder);
});

afterEach(async () => {
  await test.close();
  await loop.close();
  rmSync(folder, { recursive: true, force: true });
});

const VIEWS = [
  'status',
  'overview',
  'patterns',
  'sessions',
  'trials',
  'review',
  'models',
  'settings',
  'ledger',
  'store',
];

describe('the routes of the dashboard', () => {
  it('answer every view as JSON that is not cached', async () => {
    for (const view of VIEWS) {
      const { status, headers, json, text } = await test.send(`/api/${view}`);
      expect([view, status], text).toEqual([view, 200]);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(headers['cache-control']).toBe('no-store');
      expect(Object.keys(json).length).toBeGreaterThan(0);
    }
  });
});
