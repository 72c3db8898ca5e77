import { describe, expect, it } from 'vitest';
import { MAX_TEXT, type PromptText, TextTable } from '../../../integrations/prompts/text-table.js';
import { resolveText, type TextEffect } from '../../../integrations/prompts/text-use.js';
import { versionOf } from '../../../src/lib/text-version.js';

const one = { text: 'one', version: versionOf('one') };
const two: TextEffect = { name: 'a', text: 'two', version: versionOf('two'), before: one, replaces: [one.version] };
const lineage = [one.version, two.version];
const three: TextEffect = { name: 'a', text: 'three', version: versionOf('three'), before: two, replaces: lineage };

describe('the texts of a task', () => {
  it('are one object for all tasks with the same versions, so that a long text is never copied', () => {
    const table = new TextTable({ a: { text: 'x'.repeat(200_000) } });
    expect(table.lookup('answer')).toBe(table.lookup('answer'));
    const uses = [{ effect: two, isGiven: true }];
    expect(table.lookup('answer', uses)).toBe(table.lookup('answer', [...uses]));
  });

  it('are remembered for other tasks too, and made again after 5,000 of them', () => {
    const table = new TextTable({ a: one });
    const first = table.lookup('answer');
    table.lookup('other');
    expect(table.lookup('answer')).toBe(first);
    for (let index = 0; index < 5_000; index++) table.lookup(`task ${index}`);
    expect(table.lookup('answer')).not.toBe(first);
    expect({ ...table.lookup('answer') }).toEqual({ a: 'one' });
  });

  it('note which task reads which text', () => {
    const table = new TextTable({ a: one, b: { text: 'b' } });
    expect(table.lookup('answer').a).toBe('one');
    expect([table.tasksOf('a'), table.tasksOf('b')]).toEqual([['answer'], []]);
    expect({ ...table.lookup('other') }).toEqual({ a: 'one', b: 'b' });
    expect(table.tasksOf('b')).toEqual(['other']);
  });

  it('cannot be changed by a task', () => {
    const prompts = new TextTable({ a: one }).lookup('answer') as Record<string, string>;
    expect(() => Object.assign(prompts, { a: 'mine' })).toThrow();
    expect(prompts.a).toBe('one');
  });

  it('are none if the host declared none', () => {
    expect(new TextTable().lookup('answer')).toEqual({});
    expect(new TextTable().isEmpty).toBe(true);
    expect(new TextTable({ a: one }).isEmpty).toBe(false);
  });

  it('differ between tasks that are given a version and tasks it is held back from', () => {
    const table = new TextTable({ a: one });
    const given = table.lookup('answer', [{ effect: two, isGiven: true }]);
    const held = table.lookup('answer', [{ effect: two, isGiven: false }]);
    expect([given.a, held.a, table.lookup('answer').a]).toEqual(['two', 'one', 'one']);
  });

  it('remember the first 20 tasks that read a text', () => {
    const table = new TextTable({ a: one });
    const tasks = Array.from({ length: 21 }, (_, index) => `task ${index}`);
    for (const task of tasks) void table.lookup(task).a;
    expect(table.tasksOf('a')).toEqual(tasks.slice(0, 20));
  });
});

describe('a declared text', () => {
  it('is known by its name, with its version and its file', () => {
    const table = new TextTable({ a: one });
    const file = 'prompts/b.md';
    expect(table.declare('b', { text: 'b', file })).toEqual({ name: 'b', text: 'b', version: versionOf('b'), file });
    expect(table.of('a')).toStrictEqual({ name: 'a', ...one });
    expect([table.names, [...table.texts].map(({ text }) => text)]).toEqual([
      ['a', 'b'],
      ['one', 'b'],
    ]);
    expect(table.of('c')).toBeUndefined();
  });

  it('may be declared again, but not with another text, which could be a mistake', () => {
    const table = new TextTable({ a: { text: 'one', file: 'a.md' } });
    expect(table.declare('a', { text: 'one' })).toBe(table.of('a'));
    expect(() => table.declare('a', { text: 'two' })).toThrow(
      `prompt "a" is declared twice with different texts: give each text its own name, or name version ${one.version}`,
    );
    expect(() => table.declare('a', { text: 'two' }, two.version)).toThrow('is declared twice');
    expect(table.lookup('answer').a).toBe('one');
  });

  it('replaces the version that its caller names, for all tasks that begin later', () => {
    const table = new TextTable({ a: one });
    const held = [{ effect: three, isGiven: false }];
    expect([table.lookup('answer').a, table.lookup('answer', held).a]).toEqual(['one', 'two']);
    table.declare('a', { text: 'x' }, one.version);
    expect([table.lookup('answer').a, table.lookup('answer', held).a]).toEqual(['x', 'x']);
    expect(table.read('a')).toEqual({ name: 'a', text: 'x', version: versionOf('x') });
  });

  it.for<[string, string, unknown, string]>([
    ['a blank name', ' ', one, 'prompt " " needs a name of 1 to 200 characters'],
    ['a long name', 'n'.repeat(201), one, 'needs a name of 1 to 200 characters'],
    ['a bare text', 'a', 'one', 'prompt "a" is "one": give { text, file? }'],
    ['nothing', 'a', null, 'prompt "a" is null: give { text, file? }'],
    ['another type of text', 'a', { text: 7 }, 'prompt "a" has 7 as its text: give a text'],
    ['a blank text', 'a', { text: ' \n' }, 'prompt "a" is empty: give a text'],
    ['a text that is too long', 'a', { text: 'x'.repeat(MAX_TEXT + 1) }, `give at most ${MAX_TEXT}`],
    ['another type of file', 'a', { ...one, file: 7 }, 'prompt "a" has 7 as its file: give a path'],
    ['an empty file name', 'a', { ...one, file: '' }, "as its file: give a path, such as 'prompts/system.md'"],
  ])('is rejected with what to give instead if it has %s', ([, name, given, message]) => {
    const declare = () => new TextTable({ [name]: given as PromptText });
    expect(declare).toThrow(expect.objectContaining({ code: 'invalid-input' }));
    expect(declare).toThrow(message);
  });

  it('may be as long as the limits say', () => {
    const [name, text] = ['n'.repeat(200), 'x'.repeat(MAX_TEXT)];
    expect(new TextTable({ [name]: { text } }).read(name).text).toBe(text);
  });
});

describe('reading one text', () => {
  it('returns its version for the task, with its file', () => {
    const table = new TextTable({ a: { text: 'one', file: 'a.md' } });
    expect(table.read('a')).toEqual({ name: 'a', ...one, file: 'a.md' });
    expect(table.read('a', [{ effect: two, isGiven: true }])).toMatchObject({
      name: 'a',
      text: 'two',
      version: two.version,
      file: 'a.md',
    });
  });

  it('rejects an unknown name, and says which one is meant or which there are', () => {
    const error = (texts: Record<string, PromptText>, name: string) => () => new TextTable(texts).read(name);
    const some = { system: one, summary: one };
    expect(error(some, 'sytem')).toThrow('no prompt is called "sytem": did you mean system?');
    expect(error(some, 'xyz')).toThrow('no prompt is called "xyz": use one of system, summary');
    expect(error({}, 'xyz')).toThrow(
      'no prompt is called "xyz": give new RSILoop({ prompts: namedTexts({ ... }) }) one',
    );
    expect(error({}, 'xyz')).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });
});

describe('the version of one session', () => {
  it('replaces the one in force, for the tasks of this session only', () => {
    const table = new TextTable({ a: one });
    table.giveSession('s1', two);
    expect([table.read('a', [], 's1').text, table.lookup('answer', [], 's1').a]).toEqual(['two', 'two']);
    for (const other of ['s2', undefined]) {
      expect([table.read('a', [], other).text, table.lookup('answer', [], other).a]).toEqual(['one', 'one']);
    }
    expect(table.lookup('answer', [{ effect: two, isGiven: false }], 's1').a).toBe('two');
  });

  it('gives way to a newer one of the same text, and stays beside those of other texts', () => {
    const table = new TextTable({ a: one, b: one });
    const other: TextEffect = { ...three, before: one, replaces: [one.version] };
    table.giveSession('s1', { ...two, name: 'b' });
    table.giveSession('s1', two);
    table.giveSession('s1', other);
    expect({ ...table.lookup('answer', [], 's1') }).toEqual({ a: 'three', b: 'two' });
  });
});

describe('the version that results from changes', () => {
  const named = { name: 'a', ...one };
  it('is the last one given that was written for the version before', () => {
    const given = (effect: TextEffect) => ({ effect, isGiven: true });
    expect(resolveText(named, [given(two), given(three)]).text).toBe('three');
    expect(resolveText(named, [given(three)]).text).toBe('three');
    expect(resolveText({ name: 'a', text: 'x', version: versionOf('x') }, [given(two)]).text).toBe('x');
    expect(resolveText({ ...named, name: 'b' }, [given(two)]).text).toBe('one');
  });

  it('is the one before if it is held back, also if the host has the new text already', () => {
    const held = { effect: two, isGiven: false };
    expect(resolveText(named, [held]).text).toBe('one');
    expect(resolveText(two, [held]).text).toBe('one');
  });
});
