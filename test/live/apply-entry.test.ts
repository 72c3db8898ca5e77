import { describe, expect, it } from 'vitest';
import type { Fix, FixStatus } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import type { LedgerEntry } from '../../src/contract/ledger-entry.js';
import type { LoopEvent } from '../../src/contract/loop-event.js';
import { settingLimitsOf } from '../../src/contract/policy.js';
import type { Trial } from '../../src/contract/trial.js';
import type { Verdict } from '../../src/contract/verdict.js';
import { MemoryStore } from '../../src/defaults/memory-store.js';
import { Experience } from '../../src/experience/lessons.js';
import { ChangeKinds } from '../../src/fix/change-kinds.js';
import { ruleKind } from '../../src/fix/kinds/rule-kind.js';
import { RuleFiles } from '../../src/fix/rule-files.js';
import type { Components } from '../../src/judge/components.js';
import { learn } from '../../src/judge/learn.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { applySettings, emitEvents } from '../../src/live/apply-entry.js';
import { policyOnly } from '../fix/fixtures.js';
import { proposedFix } from '../ledger/fixtures.js';

type MoveParts = Partial<Pick<Extract<LedgerEntry, { kind: 'fix-moved' }>, 'by' | 'verdict' | 'trial'>>;

const propose = (fix: Fix): LedgerEntry => ({ kind: 'fix-proposed', atMs: 1, by: 'auto', fix });
const TRIAL = { phase: 'running', scope: { task: 'api_call' } } as unknown as Trial; // the part that the ledger reads
const verdictOf = (parts: object) => ({ atMs: 5, ...parts }) as unknown as Verdict; // its figures are not read here

/** A ledger whose entries are applied as the loop applies them. */
function world() {
  const events: LoopEvent[] = [];
  const updates: unknown[] = [];
  const problems: string[] = [];
  const experience = new Experience();
  const kinds = new ChangeKinds([
    policyOnly(),
    ruleKind({ files: new RuleFiles({ report: () => {} }), countersOf: () => undefined }),
  ]);
  const ledger: Ledger = new Ledger(new MemoryStore().ledger, {
    commit: (step) => {
      applySettings(components, step);
      learn(components, step);
      emitEvents(components, step);
    },
  });
  const components = {
    ...{ ledger, experience, kinds, settingLimits: settingLimitsOf({ 'retries.network': { max: 3 } }) },
    braked: new Map(),
    policies: { update: (update: unknown) => updates.push(update) },
    events: { emit: (event: LoopEvent) => events.push(event) },
    report: ({ message }: { message: string }) => problems.push(message),
  } as unknown as Components; // the parts that are used
  let atMs = 10;
  return {
    events,
    updates,
    problems,
    results: () => experience.lessons.map(({ result }) => result),
    lessons: () => experience.lessons,
    kindsOfEvents: () => events.splice(0).map(({ kind }) => kind),
    append: (...entries: LedgerEntry[]) => ledger.append(() => entries),
    move: (to: FixStatus, parts: MoveParts = {}, id = 'a') =>
      ledger.append(() => [
        { kind: 'fix-moved', atMs: atMs++, by: 'ada', fixId: id as FixId, to, reason: `to ${to}`, ...parts },
      ]),
  };
}

async function onTrial() {
  const here = world();
  await here.append(propose(proposedFix('a')));
  await here.move('approved');
  await here.move('trial', { trial: TRIAL });
  here.events.length = 0;
  return here;
}

describe('the events of a decision', () => {
  it('name each step of a fix once', async () => {
    const { append, move, kindsOfEvents } = world();
    await append(propose(proposedFix('a')));
    expect(kindsOfEvents()).toEqual(['fix-proposed']);
    await append(propose({ ...proposedFix('a'), reason: 'newer numbers' }));
    expect(kindsOfEvents()).toEqual([]);
    await move('approved');
    expect(kindsOfEvents()).toEqual(['fix-approved']);
    await move('trial', { trial: TRIAL });
    expect(kindsOfEvents()).toEqual(['trial-started']);
    await move('trial', { trial: TRIAL });
    expect(kindsOfEvents()).toEqual([]);
    await move('confirmed', { verdict: verdictOf({ kind: 'confirmed' }) });
    expect(kindsOfEvents()).toEqual(['verdict']);
    await move('reopened');
    expect(kindsOfEvents()).toEqual(['fix-reopened']);
    await move('rolled-back');
    expect(kindsOfEvents()).toEqual(['fix-rolled-back']);
  });

  it('say that a person rejected a fix, and are silent about entries that are no steps', async () => {
    const { append, move, events, kindsOfEvents } = world();
    await append(propose(proposedFix('a')), { kind: 'frozen', atMs: 2, by: 'ada', reason: 'release' });
    kindsOfEvents();
    await move('rejected');
    expect(events).toMatchObject([{ kind: 'fix-rejected', fix: { id: 'a', status: 'rejected' } }]);
  });

  it('carry the verdict also when the status stays', async () => {
    const { move, events } = await onTrial();
    const verdict = verdictOf({ kind: 'inconclusive', why: 'deadline' });
    await move('trial', { verdict });
    expect(events).toMatchObject([{ kind: 'verdict', fix: { id: 'a' }, verdict }]);
  });

  it('say why a fix was rolled back', async () => {
    const { move, events } = await onTrial();
    await move('rolled-back');
    expect(events).toMatchObject([{ kind: 'fix-rolled-back', reason: 'to rolled-back' }]);
  });
});

describe('what the loop learns from a decision', () => {
  it('is one lesson when a fix is confirmed, rejected or rolled back, and none before', async () => {
    const here = await onTrial();
    expect(here.results()).toEqual([]);
    await here.move('confirmed', { verdict: verdictOf({ kind: 'confirmed' }), by: 'auto' });
    expect(here.lessons()).toMatchObject([
      { fixId: 'a', result: 'helped', set: { 'retries.network': 2 }, reason: 'to confirmed' },
    ]);
    // A new share is no new lesson.
    await here.move('confirmed', { by: 'auto' });
    expect(here.results()).toEqual(['helped']);
    const rejected = world();
    await rejected.append(propose(proposedFix('a')));
    await rejected.move('rejected');
    expect(rejected.results()).toEqual(['rejected']);
  });

  it('is nothing about a trial that the kill switch ended, by hand or from outside', async () => {
    const frozen = await onTrial();
    await frozen.append({ kind: 'frozen', atMs: 3, by: 'ada', reason: 'release' });
    await frozen.move('rolled-back', { verdict: verdictOf({ kind: 'failed', why: 'harm' }) });
    expect(frozen.results()).toEqual([]);
    const outside = await onTrial();
    await outside.move('rolled-back', { by: 'auto' });
    expect(outside.results()).toEqual([]);
  });

  it('is a lesson when a person or a verdict ends the trial, or when the fix was not on trial', async () => {
    const byPerson = await onTrial();
    await byPerson.move('rolled-back');
    expect(byPerson.results()).toEqual(['taken-back']);
    const byVerdict = await onTrial();
    await byVerdict.move('rolled-back', { by: 'auto', verdict: verdictOf({ kind: 'failed', why: 'no-effect' }) });
    expect(byVerdict.results()).toEqual(['no-effect']);
    const inForce = world();
    await inForce.append(propose(proposedFix('a')));
    await inForce.move('applied-unverified');
    await inForce.move('rolled-back', { by: 'auto' });
    expect(inForce.results()).toEqual(['taken-back']);
  });
});

describe('the settings in force', () => {
  const change = (id: string, set: Record<string, number>): Fix => ({
    ...proposedFix(id),
    change: { kind: 'policy', scope: { task: 'api_call' }, set, undo: {} },
  });

  it('change when a fix comes into force or leaves it, and not for other steps', async () => {
    const { append, move, updates } = world();
    const fix = change('a', { 'retries.network': 2 });
    await append(propose(fix));
    await move('approved');
    await move('trial', { trial: TRIAL });
    expect(updates).toEqual([]);
    await move('confirmed');
    expect(updates).toEqual([{ confirmed: [fix.change] }]);
    await move('rolled-back');
    expect(updates.at(-1)).toEqual({ confirmed: [] });
    const { length } = updates;
    await append(propose(fix));
    await move('rejected');
    expect(updates).toHaveLength(length);
  });

  it('apply in the order in which they came into force, so that the later one wins, and say so', async () => {
    const { append, move, updates, problems } = world();
    const [first, second] = [change('z', { 'retries.network': 1 }), change('b', { 'retries.network': 2 })];
    await append(propose(second), propose(first), propose(change('c', { 'backoff.baseMs': 50 })));
    await move('applied-unverified', {}, 'z');
    expect(problems).toEqual([]);
    await move('applied-unverified', {}, 'b');
    expect(updates.at(-1)).toEqual({ confirmed: [first.change, second.change] });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('two confirmed fixes set retries.network for task api_call');
    await move('rolled-back', {}, 'z');
    expect(updates.at(-1)).toEqual({ confirmed: [second.change] });
    expect(problems).toHaveLength(1);
  });

  it('outside the limits of the user are reported', async () => {
    const { append, move, problems } = world();
    await append(propose(change('a', { 'retries.network': 4 })));
    await move('applied-unverified');
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('retries.network');
  });

  it('do not change for a rule', async () => {
    const { append, move, updates } = world();
    const rule = { kind: 'rule', scope: { task: 'api_call' }, text: 'Read the log first.', file: 'AGENTS' } as const;
    await append(propose({ ...proposedFix('a'), change: { ...rule, undo: { removeRule: 'a' as FixId } } }));
    await move('applied-unverified');
    expect(updates).toEqual([]);
  });
});
