import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/contract/change.js';
import type { Fix } from '../../src/contract/fix.js';
import type { TaskStatistics } from '../../src/contract/task-statistics.js';
import { Experience } from '../../src/experience/lessons.js';
import { startTrials } from '../../src/judge/start-trials.js';
import { seededRandom } from '../../src/lib/random.js';
import { type Idempotent, RepeatRules } from '../../src/lib/repeat.js';
import { policyChange, someTask } from '../fix/fixtures.js';
import { proposedFix } from '../ledger/fixtures.js';
import { cycleWith } from './fixtures.js';

const changing = (setting: string, task = 'api_call'): Change =>
  policyChange({ scope: { task }, set: { [setting]: 2 }, undo: { [setting]: 0 } });
const SETTINGS = ['retries.network', 'retries.timeout', 'retries.rate_limit', 'retries.server_error', 'retries.other'];
const approved = (id: string, parts: Partial<Fix> = {}): Fix => ({ ...proposedFix(id), status: 'approved', ...parts });

interface WorldParts {
  readonly tasks?: readonly TaskStatistics[];
  readonly idempotent?: Idempotent;
  readonly more?: object;
}

async function world(fixes: readonly Fix[], { tasks = [someTask()], idempotent = true, more = {} }: WorldParts = {}) {
  const repeats = new RepeatRules({ own: {}, answers: () => new Map(), idempotent });
  const own = {
    repeats,
    experience: new Experience(),
    alpha: 0.05,
    smallestGain: () => undefined,
    priceOf: () => 600_000,
    random: seededRandom(1),
  };
  const cycle = await cycleWith(fixes, { tasks, more: { ...own, ...more } });
  return { ...cycle, start: () => startTrials(cycle.now) };
}

describe('an approved fix', () => {
  it('goes on trial for half of the units in scope, with a plan', async () => {
    const { start, written } = await world([
      approved('a'),
      approved('not approved', { status: 'proposed', change: changing('timeout.attemptMs') }),
    ]);
    await start();
    expect(await written()).toMatchObject([
      {
        ...{ kind: 'fix-moved', atMs: 1_000_000, by: 'auto', fixId: 'a', to: 'trial' },
        reason: 'every task in scope is drawn: half run with the fix, half without',
        trial: { fixId: 'a', unit: 'task', openedMs: 1_000_000, place: { trial: 1, confirmed: 0, attempt: 1 } },
      },
    ]);
  });

  it('takes the next place among all trials, so that their budget is shared', async () => {
    const { start, written } = await world([
      approved('a'),
      approved('b', { change: changing('timeout.attemptMs') }),
      approved('c', { issue: 'timeout', change: changing('retries.timeout') }),
    ]);
    await start();
    const places = (await written()).map((entry) => entry.kind === 'fix-moved' && entry.trial?.place);
    expect(places).toMatchObject([
      { trial: 1, attempt: 1 },
      { trial: 2, attempt: 2 },
      { trial: 3, attempt: 1 },
    ]);
  });

  it('stays approved while even a cure could not be shown in the time there is', async () => {
    const rare = someTask({ outcomes: 20, failures: 1, perDay: 0.7, observedDays: 28 });
    const slow = await world([approved('a')], { tasks: [rare] });
    await slow.start();
    expect(slow.status('a')).toBe('approved');
    const common = await world([approved('a')], { tasks: [{ ...rare, perDay: 700 }] });
    await common.start();
    expect(common.status('a')).toBe('trial');
  });

  it('needs less evidence if changes of its kind helped before', async () => {
    const levelWith = async (results: readonly ('helped' | 'no-effect')[]) => {
      const experience = new Experience();
      for (const result of results)
        experience.record.learn({ issue: 'network', set: { 'retries.network': 2 }, result });
      const used = [approved('z', { change: changing('timeout.attemptMs') }), approved('a')];
      const { start, written } = await world(used, { more: { experience } });
      await start();
      return (await written()).flatMap((entry) => (entry.kind === 'fix-moved' ? (entry.trial?.alpha ?? 0) : []))[1];
    };
    const [proven = 0, unknown = 0, useless = 0] = await Promise.all([
      levelWith(['helped', 'helped', 'helped']),
      levelWith([]),
      levelWith(['no-effect', 'no-effect', 'no-effect']),
    ]);
    expect(proven).toBeGreaterThan(2 * unknown);
    expect(useless).toBeLessThan(unknown);
  });

  it('waits while another trial changes the same setting, also one that starts in the same cycle', async () => {
    const running = await world([approved('running', { status: 'trial' }), approved('a')]);
    await running.start();
    expect(running.status('a')).toBe('approved');
    const same = await world([approved('a'), approved('b')]);
    await same.start();
    expect([same.status('a'), same.status('b')]).toEqual(['trial', 'approved']);
  });

  it('waits while three trials run for its task', async () => {
    const { start, status } = await world(SETTINGS.map((setting) => approved(setting, { change: changing(setting) })));
    await start();
    expect(SETTINGS.map(status)).toEqual(['trial', 'trial', 'trial', 'approved', 'approved']);
  });

  it('waits if its task was not seen in the window, may not run twice, or does not read its policy yet', async () => {
    const unseen = await world([approved('a')], { tasks: [] });
    const forbidden = await world([approved('a')], { idempotent: false, tasks: [someTask({ repeatable: 0 })] });
    const unmanaged = await world([approved('a')], { tasks: [someTask({ managed: 0 })] });
    for (const { start, status } of [unseen, forbidden, unmanaged]) {
      await start();
      expect(status('a')).toBe('approved');
    }
  });

  it('waits while the loop is frozen or may run no trials', async () => {
    const held = await world([approved('a')], { more: { noTrials: 'RSI_FREEZE is set' } });
    await held.start();
    const frozen = await world([approved('a')]);
    await frozen.ledger.append(() => [{ kind: 'frozen', atMs: 1, by: 'ada', reason: 'incident' }]);
    await frozen.start();
    expect([held.status('a'), frozen.status('a')]).toEqual(['approved', 'approved']);
  });

  it('that cannot be planned is reported, and the others start', async () => {
    const random = () => {
      throw new Error('no luck');
    };
    const { start, problems } = await world([approved('a')], { more: { random } });
    await start();
    expect(problems).toEqual(['fix a was left as it is: no luck']);
  });
});
