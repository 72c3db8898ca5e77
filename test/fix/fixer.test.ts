import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import type { Lesson } from '../../src/contract/lesson.js';
import type { Pattern } from '../../src/contract/pattern.js';
import { settingLimitsOf } from '../../src/contract/policy.js';
import type { SettingLimits } from '../../src/contract/settings.js';
import type { TaskStatistics } from '../../src/contract/task-statistics.js';
import type { CatalogEntry } from '../../src/fix/candidate.js';
import { ChangeKinds } from '../../src/fix/change-kinds.js';
import { Fixer, type FixerOptions } from '../../src/fix/fixer.js';
import { HostCatalog } from '../../src/fix/host-catalog.js';
import { ruleKind } from '../../src/fix/kinds/rule-kind.js';
import { RuleFiles } from '../../src/fix/rule-files.js';
import { RepeatRules } from '../../src/lib/repeat.js';
import { wilsonRate } from '../../src/lib/statistics.js';
import { policyOnly, somePattern, someTask } from './fixtures.js';

interface SetUp extends Partial<FixerOptions> {
  readonly settingLimits?: SettingLimits;
  /** Whether rules are proposed too. */
  readonly withRules?: true;
}

function setUp({ settingLimits, withRules, ...options }: SetUp = {}) {
  const problems: string[] = [];
  const report = (message: string) => problems.push(message);
  const catalog = new HostCatalog();
  const { entries } = catalog;
  const policy = policyOnly({ entries, report, ...(settingLimits && { settingLimits }) });
  const files = new RuleFiles({ report });
  const rule = ruleKind({ files, countersOf: () => undefined });
  const fixer = new Fixer({
    kinds: new ChangeKinds(withRules ? [policy, rule] : [policy]),
    recall: () => [],
    attemptsOn: () => 0,
    repeats: new RepeatRules({ own: {}, answers: () => new Map() }),
    forecast: () => ({ kind: 'testable', tasks: 300, days: 1 }),
    report,
    ...options,
  });
  const register = (entry: CatalogEntry) => catalog.register(entry);
  const known = new Map<FixId, Fix>();
  const propose = (patterns: readonly Pattern[], task: Partial<TaskStatistics> = {}, nowMs = 1_000) => {
    const names = new Set(patterns.map((pattern) => pattern.task));
    const tasks = new Map([...names].map((name) => [name, someTask({ task: name, ...task })]));
    const fixes = fixer.propose(patterns, tasks, { fixes: known, active: known }, nowMs);
    for (const fix of fixes) known.set(fix.id, fix);
    return fixes;
  };
  return { register, known, problems, propose };
}

const lesson = (fields: Partial<Lesson>): Lesson => ({
  fixId: 'fix-1' as FixId,
  patternId: 'pattern-1',
  task: 'api_call',
  issue: 'network',
  target: 'retries.network',
  set: { 'retries.network': 2 },
  result: 'no-effect',
  reason: 'has no useful effect',
  atMs: 0,
  attempt: 1,
  ...fields,
});

describe('the fixer', () => {
  it('proposes one fix for the failures of one task and one issue, and does not say it twice', () => {
    const { propose } = setUp();
    const patterns = [somePattern(), somePattern({ id: 'pattern-2', template: 'ECONNREFUSED' })];
    expect(propose(patterns)).toHaveLength(1);
    expect(propose(patterns)).toEqual([]);
  });

  it('asks no person about failures that the waiting fix of another pattern covers, and lets a setting go ahead of a rule', () => {
    const { register, propose } = setUp({ withRules: true });
    const asked: string[] = [];
    register({ name: 'watch', match: ({ id }) => asked.push(id) > 0, propose: () => [] });
    const [small, large] = [somePattern({ id: 'small' }), somePattern({ id: 'large', count: 50 })];
    expect(propose([large, small])).toHaveLength(1);
    expect(asked).toEqual(['large']);

    const incomplete = somePattern({ id: 'open-1', issue: 'incomplete_task', template: 'two points open' });
    expect(propose([incomplete]).map(({ change }) => change.kind)).toEqual(['rule']);
    register({
      name: 'two-attempts',
      match: ({ id }) => id === 'open-2',
      propose: () => [{ set: { 'backoff.baseMs': 500 }, reason: 'they come too fast', safe: true }],
    });
    expect(propose([incomplete, { ...incomplete, id: 'open-2' }]).map(({ change }) => change.kind)).toEqual(['policy']);
  });

  it('proposes nothing beside a setting on trial or in force, though a rule for the same pattern still waits', () => {
    for (const status of ['approved', 'trial', 'confirmed', 'applied-unverified'] as const) {
      const { register, known, propose } = setUp({ withRules: true });
      const incomplete = somePattern({ id: 'open-1', issue: 'incomplete_task', template: 'two points open' });
      expect(propose([incomplete]).map(({ change }) => change.kind)).toEqual(['rule']);
      register({
        name: 'slower',
        match: () => true,
        propose: () => [
          { set: { 'backoff.baseMs': 500 }, reason: 'they come too fast', safe: true },
          { set: { 'timeout.taskMs': 9_000 }, reason: 'they take too long', safe: true },
        ],
      });
      const [setting] = propose([incomplete]);
      if (!setting) throw new Error('no setting was proposed');
      known.set(setting.id, { ...setting, status });
      expect(propose([incomplete, { ...incomplete, id: 'open-2' }]), status).toEqual([]);
    }
  });

  it('proposes for the costliest pattern first', () => {
    const { propose } = setUp();
    const small = somePattern({ id: 'small', task: 'a' });
    const large = somePattern({ id: 'large', task: 'b', impact: { ...small.impact, score: 99 } });
    expect(propose([small, large]).map(({ task }) => task)).toEqual(['b', 'a']);
  });

  it('keeps the inverse of the change as data', () => {
    const { propose } = setUp();
    expect(propose([somePattern()])[0]?.change).toEqual({
      kind: 'policy',
      scope: { task: 'api_call' },
      set: { 'retries.network': 2 },
      undo: { 'retries.network': 0 },
    });
  });

  it('says what a fix would need where tasks do not read their policy, and drops that once they do', () => {
    const { propose } = setUp();
    expect(propose([somePattern()], { managed: 3 })[0]?.needs).toContain('loop.run("api_call"');
    expect(propose([somePattern()], { managed: 30 })[0]).not.toHaveProperty('needs');
  });

  it('leaves alone what does not recur, is resolved, or is not a failure', () => {
    const { propose } = setUp();
    expect(propose([somePattern({ recurring: false })])).toEqual([]);
    expect(propose([somePattern({ trend: 'resolved' })])).toEqual([]);
    expect(propose([somePattern({ kind: 'slow' })])).toEqual([]);
  });

  it('does not propose again what did not help, unless the numbers changed', () => {
    expect(setUp({ recall: () => [lesson({})] }).propose([somePattern()])).toEqual([]);
    const recall = () => [lesson({ set: { 'retries.network': 4 } })];
    const other = setUp({ recall, attemptsOn: () => 1 }).propose([somePattern()]);
    expect(other[0]).toMatchObject({ attempt: 2, change: { set: { 'retries.network': 2 } } });
  });

  it('asks again after a month for what could only not be proven', () => {
    const recall = () => [lesson({ result: 'inconclusive' })];
    expect(setUp({ recall }).propose([somePattern()])).toEqual([]);
    expect(setUp({ recall }).propose([somePattern()], {}, 31 * 86_400_000)).toHaveLength(1);
  });

  it('gives up on a pattern after three attempts within a month', () => {
    const sets = [{ 'retries.network': 4 }, { 'backoff.baseMs': 50 }, { 'timeout.taskMs': 900 }];
    const recall = () => sets.map((set) => lesson({ set }));
    expect(setUp({ recall }).propose([somePattern()])).toEqual([]);
    expect(setUp({ recall }).propose([somePattern()], {}, 31 * 86_400_000)).toHaveLength(1);
  });

  it('waits until several models can be compared', () => {
    const models = ['a', 'b'].map((model) => {
      const rate = wilsonRate(5, 20);
      return { model, rate, wanted: rate, wantedLately: rate, listedBeside: [] };
    });
    expect(setUp().propose([somePattern()], { models, outcomes: 40 })).toEqual([]);
    expect(setUp().propose([somePattern()], { models, outcomes: 80 })).toHaveLength(1);
  });

  it('pulls its own numbers into the bounds of the user', () => {
    const { propose } = setUp({ settingLimits: settingLimitsOf({ 'retries.network': { max: 1 } }) });
    expect(propose([somePattern()])[0]?.change).toMatchObject({ set: { 'retries.network': 1 } });
    expect(
      setUp({ settingLimits: settingLimitsOf({ 'retries.network': { max: 0 } }) }).propose([somePattern()]),
    ).toEqual([]);
  });

  it('asks the entries of the user first', () => {
    const { register, propose } = setUp();
    register({
      name: 'mine',
      match: () => true,
      propose: () => [{ set: { 'retries.network': 3 }, reason: 'I know' }],
    });
    expect(propose([somePattern()])[0]).toMatchObject({ reason: 'I know', safe: false });
  });

  it('survives entries that throw or ask for the impossible, and names them', () => {
    const { register, propose, problems } = setUp();
    const wrong = (set: object) => () => [{ set: set as never, reason: 'why not' }];
    register({
      name: 'thrower',
      match: () => {
        throw new Error('boom');
      },
      propose: () => [],
    });
    register({ name: 'greedy', match: () => true, propose: wrong({ 'retries.network': 99 }) });
    register({ name: 'stranger', match: () => true, propose: wrong({ 'retries.luck': 1 }) });
    register({ name: 'nan', match: () => true, propose: wrong({ 'backoff.baseMs': Number.NaN }) });
    expect(propose([somePattern()])[0]?.target).toBe('retries.network');
    for (const name of ['thrower', 'greedy', 'stranger', 'nan']) {
      expect(problems.some((problem) => problem.includes(name))).toBe(true);
    }
    expect(() => register({} as never)).toThrow('needs name, match');
  });
});
