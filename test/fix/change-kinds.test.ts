import { describe, expect, it } from 'vitest';
import type { Change, CustomChange, PolicyChange, RuleChange } from '../../src/contract/change.js';
import type { ChangeKind, PatternFacts } from '../../src/contract/change-kind.js';
import type { Fix } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import { ChangeKinds } from '../../src/fix/change-kinds.js';
import { ruleKind } from '../../src/fix/kinds/rule-kind.js';
import { RuleFiles } from '../../src/fix/rule-files.js';
import { policyOnly, someFix } from './fixtures.js';

const change = (set: PolicyChange['set'], scope: PolicyChange['scope'] = { task: 'answer' }): PolicyChange => ({
  kind: 'policy',
  scope,
  set,
  undo: {},
});
const rule = (text: string, task = 'answer'): RuleChange => ({
  kind: 'rule',
  scope: { task },
  text,
  file: 'AGENTS',
  undo: { removeRule: 'fix-1' as FixId },
});
const custom: CustomChange = {
  kind: 'my.prompt',
  scope: { task: 'answer' },
  content: { system: 'Be brief.' },
  undo: {},
};

/** A kind that puts its content into the task. */
function customKind(kind: CustomChange['kind']): ChangeKind {
  const of: ChangeKind<CustomChange> = {
    kind,
    propose: () => [],
    effect: ({ content }) => ({ given: content }),
    content: ({ content }) => content,
    describe: () => ({ title: '', undo: '', inForce: '', rolledBack: '' }),
  };
  return of as ChangeKind; // asked only about changes of its own
}

const files = new RuleFiles({ report: () => {} });
const kinds = new ChangeKinds([ruleKind({ files, countersOf: () => undefined }), policyOnly()]);

describe('two changes of one task', () => {
  it('take failures from each other if both choose the model, although they set different names', () => {
    const order = change({ 'model.order': ['basalt'] });
    const weights = change({ 'model.weights': { basalt: 1 } });
    const retries = change({ 'retries.parse_error': 1 });
    expect([kinds.chooseModels(order, weights), kinds.collide(order, weights)]).toEqual([true, false]);
    expect(kinds.chooseModels(order, retries)).toBe(false);
    expect(kinds.chooseModels(order, rule('Use model.order.'))).toBe(false);
  });

  it('are the same attempt if they weigh the models differently, but not if they ask another one first', () => {
    const weights = change({ 'model.weights': { basalt: 0.8, aurora: 0.2 } });
    expect(kinds.isAlike(weights, { 'model.weights': { basalt: 0.6, aurora: 0.4 } })).toBe(true);
    expect(kinds.isAlike(weights, { 'retries.network': 1 })).toBe(false);
    expect(kinds.isAlike(change({ 'model.order': ['basalt'] }), { 'model.order': ['aurora'] })).toBe(false);
  });

  it('conflict if they set the same name, or state the same rule, where some task could get both', () => {
    const one = change({ 'retries.network': 1, 'backoff.baseMs': 500 });
    expect(kinds.collide(one, change({ 'retries.network': 2 }))).toBe(true);
    expect(kinds.collide(one, change({ 'retries.timeout': 2 }))).toBe(false);
    expect(kinds.collide(one, change({ 'retries.network': 2 }, { task: 'search' }))).toBe(false);
    expect(kinds.collide(rule('Count twice.'), rule('Count twice.'))).toBe(true);
    expect(kinds.collide(rule('Count twice.'), rule('Count once.'))).toBe(false);
    expect(kinds.collide(rule('retries.network'), one)).toBe(false);
  });

  it('replace one another only if the newer one sets all names in the same scope', () => {
    const one = change({ 'retries.network': 1 });
    const both = change({ 'retries.network': 2, 'backoff.baseMs': 500 });
    expect([kinds.replaces(one, both), kinds.replaces(both, one)]).toEqual([true, false]);
    expect(kinds.replaces(one, change({ 'retries.network': 2 }, { task: 'answer', model: 'basalt' }))).toBe(false);
    expect(kinds.replaces(one, rule('retries.network'))).toBe(false);
  });

  it('are alike if their numbers differ by at most a quarter, or their rules ask for the same', () => {
    expect(kinds.areAlike(change({ 'backoff.baseMs': 400 }), change({ 'backoff.baseMs': 500 }))).toBe(true);
    expect(kinds.areAlike(change({ 'backoff.baseMs': 300 }), change({ 'backoff.baseMs': 500 }))).toBe(false);
    const said = rule('When you deploy, read the notes of the release first.');
    expect(kinds.areAlike(said, rule('When you deploy, first read the notes of the release.'))).toBe(true);
    expect(kinds.areAlike(said, rule('When you deploy, first read the notes of the release.', 'search'))).toBe(false);
    expect(kinds.isAlike(said, { 'backoff.baseMs': 500 })).toBe(false);
  });

  it('of two kinds are neither alike nor in conflict, though their contents are equal', () => {
    const both = new ChangeKinds([customKind('my.prompt'), customKind('my.other')]);
    expect(both.isAlike(custom, { system: 'Be kind.' })).toBe(false);
    const twin: CustomChange = { ...custom, kind: 'my.other' };
    expect([both.areAlike(custom, { ...custom }), both.areAlike(custom, twin)]).toEqual([true, false]);
    expect([both.collide(custom, { ...custom }), both.collide(custom, twin)]).toEqual([true, false]);
    expect([both.replaces(custom, { ...custom }), both.replaces(custom, twin)]).toEqual([true, false]);
  });

  it('wait for each other on trial: for the same setting, and beyond three trials of a task', () => {
    const fix = (id: string, its: Change, status: Fix['status'] = 'trial') =>
      ({ id, status, task: 'answer', change: its }) as Fix; // nothing else is read
    const next = fix('fix-0', change({ 'retries.network': 1 }), 'approved');
    const running = ['timeout', 'parse_error', 'overloaded'].map((issue, index) =>
      fix(`fix-${index + 1}`, change({ [`retries.${issue}`]: 1 })),
    );
    expect(kinds.reasonToWait(next, running.slice(0, 2))).toBeUndefined();
    expect(kinds.reasonToWait(next, running)).toBe('3 trials are running for answer');
    const same = fix('fix-9', change({ 'retries.network': 2 }));
    expect(kinds.reasonToWait(next, [same])).toMatch(/^the trial of fix-9 changes the same setting/);
    expect(kinds.reasonToWait(next, [{ ...same, status: 'confirmed' }, next])).toBeUndefined();
    expect(kinds.reasonToWait(same, [same])).toBeUndefined();
    const elsewhere = running.map((other) => ({ ...other, task: 'search' }));
    expect(kinds.reasonToWait(next, elsewhere)).toBeUndefined();
  });
});

describe('the table of kinds', () => {
  it('asks kinds that the loop approves before those that need a person', () => {
    expect(kinds.all.map(({ kind }) => kind)).toEqual(['policy', 'rule']);
    expect([kinds.needsPerson(change({})), kinds.needsPerson(rule('Count.'))]).toEqual([false, true]);
  });

  it('describes a change of a kind that only another process knows, and gives it to no task', () => {
    expect([kinds.knows(custom), kinds.knows(change({}))]).toEqual([false, true]);
    const unknown = kinds.of(custom);
    expect([unknown.effect(custom), kinds.settings(custom), kinds.needsPerson(custom)]).toEqual([{}, undefined, true]);
    expect(kinds.content(custom)).toEqual({ kind: 'my.prompt', content: { system: 'Be brief.' } });
    expect(unknown.propose({} as PatternFacts)).toEqual([]);
    expect(unknown.describe(someFix(custom, { target: 'system' }))).toMatchObject({
      title: 'my.prompt: system',
      inForce: 'a process that knows this kind of change applies it',
    });
    expect(unknown.needs?.(custom, { task: undefined, advised: 0 })).toMatch(/^give the loop the kind "my.prompt"/);
  });
  it('has each name once', () => {
    const twice = [customKind('my.prompt'), policyOnly(), customKind('my.other'), customKind('my.prompt')];
    expect(() => new ChangeKinds(twice)).toThrow('kinds has "my.prompt" twice: give each kind its own name');
    expect(new ChangeKinds(twice.slice(0, 3)).all.map(({ kind }) => kind)).toEqual(['policy', 'my.prompt', 'my.other']);
  });
});
