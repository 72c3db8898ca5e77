import { describe, expect, it } from 'vitest';
import type { TextEffect } from '../../src/contract/text.js';
import { resolveText, versionOf } from '../../src/lib/text-version.js';
import { TextTable } from '../../src/run/text-table.js';

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
