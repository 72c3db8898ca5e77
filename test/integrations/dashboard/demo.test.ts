import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../../../integrations/dashboard/demo/start-demo.js';

const NOW_MS = Date.UTC(2026, 4, 6, 6, 40);
let demo: Demo;

beforeAll(async () => {
  demo = await startDemo({ nowMs: NOW_MS });
}, 60_000);
afterAll(() => demo.close());

describe('the demo of the dashboard', () => {
  it('shows what fails most: invoices are rejected since a deploy', async () => {
    const overview = await demo.data.view('overview');
    expect(await demo.data.view('status')).toMatchObject({ simulated: true, problems: [] });
    expect(overview?.health).toMatchObject({ known: true });
    expect(overview?.worst[0]).toMatchObject({ task: 'post_invoice', issue: 'validation', recurring: true });
    const pattern = await demo.data.view('pattern', { id: overview?.worst[0]?.id ?? '' });
    const first = pattern?.occurrences.findIndex((count) => count > 0) ?? 0;
    const deploy = overview?.markers.find(({ label }) => label.startsWith('2.4.0'));
    const { sinceMs, stepMs } = pattern?.axis ?? { sinceMs: 0, stepMs: 1 };
    expect(Math.abs(sinceMs + first * stepMs - (deploy?.atMs ?? 0))).toBeLessThan(2 * stepMs);
    await demo.data.view('sessions');
    expect((await demo.data.view('pattern', { id: pattern?.pattern.id ?? '' }))?.sessions.length).toBeGreaterThan(20);
  });

  it('shows which fix was proven and by how much, one without effect, and trials that run', async () => {
    const { trials = [] } = (await demo.data.view('trials')) ?? {};
    const proven = trials.filter(({ verdict }) => verdict?.kind === 'confirmed');
    expect(proven).toMatchObject([{ fix: { task: 'match_order', target: 'retries.network', status: 'confirmed' } }]);
    const { verdict } = proven[0] ?? {};
    const { fix, control } = (verdict && 'figures' in verdict ? verdict.figures : undefined) ?? {};
    const rateOf = (arm = { tasks: 1, failures: 0 }) => arm.failures / arm.tasks;
    expect(rateOf(fix)).toBeLessThan(rateOf(control) / 2);
    expect(trials.filter(({ verdict }) => verdict?.kind === 'failed')).toContainEqual(
      expect.objectContaining({
        fix: expect.objectContaining({ task: 'send_mail', status: 'rolled-back' }),
        verdict: expect.objectContaining({ why: 'no-effect' }),
      }),
    );
    expect(trials.filter(({ phase, verdict }) => phase === 'running' && !verdict).length).toBeGreaterThanOrEqual(2);
    for (const { fix: row } of trials) {
      const view = await demo.data.view('fix', { id: row.id });
      expect(view?.points.length).toBeGreaterThan(0);
    }
  });

  it('has a proposal that waits, decisions of people, models and a ledger', async () => {
    const review = await demo.data.view('review');
    expect(review?.waiting).toContainEqual(expect.objectContaining({ task: 'post_invoice', status: 'proposed' }));
    const { entries = [] } = (await demo.data.view('ledger')) ?? {};
    expect(entries.filter(({ by }) => by === 'ada').map(({ kind }) => kind)).toContain('fix-approved');
    const { rows = [] } = (await demo.data.view('models')) ?? {};
    expect(rows.map(({ model, task }) => `${model} ${task}`)).toEqual(
      expect.arrayContaining(['haiku-4.5 *', 'haiku-4.5 extract_fields', 'sonnet-4.5 extract_fields']),
    );
    expect(rows.every(({ p50Ms, costUsd }) => p50Ms !== undefined && costUsd !== undefined)).toBe(true);
  });
});
