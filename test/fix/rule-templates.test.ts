import { describe, expect, it } from 'vitest';
import type { Issue } from '../../src/contract/issue.js';
import type { Pattern } from '../../src/contract/pattern.js';
import { rulesFromFailures } from '../../src/fix/rule-templates.js';
import { somePattern } from './fixtures.js';

/** Returns the rules for a pattern. */
const rules = (parts: Partial<Pattern>) =>
  rulesFromFailures(somePattern({ task: 'deploy', examples: ['out of cheese'], ...parts }));
const said = (...examples: string[]) => rules({ task: 'Edit', issue: 'tool_failure', examples });

describe('the rule for a message', () => {
  it('is the remedy that the message states', () => {
    expect(said('File has not been read yet. Read it first before writing to it.')).toEqual([
      {
        text: 'Before you edit or overwrite an existing file, read that file in the same session.',
        file: 'TOOLS',
        why: 'the message says “File has not been read”',
        confidence: 0.7,
      },
    ]);
  });

  it('states in its reason only words that the messages hold', () => {
    const [rule] = said('Found 2 matches of the string to replace', 'Found 8 matches of the string to replace');
    expect(rule?.why).toBe('both messages say “Found 2 matches of the string”, “Found 8 matches of the string”');
  });

  it('is none if the messages ask for different remedies', () => {
    expect(said('File has not been read yet.', 'Found 2 matches of the string to replace')).toEqual([]);
  });

  it.for(['Your card was declined.', 'STRIPE_KEY is not set', 'ENOSPC: no space left on device'])(
    'is none if the agent cannot act on it: %s',
    (text) => {
      expect(said(text)).toEqual([]);
    },
  );

  it.for<Issue>(['auth', 'permission', 'validation', 'not_found', 'tool_failure', 'timeout', 'parse_error', 'network'])(
    'is never made of the class %s alone',
    (issue) => {
      expect(rules({ issue })).toEqual([]);
    },
  );
});

describe('the rule for an issue that a caller named', () => {
  it.for<[Issue, string, string]>([
    ['context_loss', 'AGENTS', 'read the notes first'],
    ['session_reset', 'AGENTS', 'read the notes first'],
    ['compaction_lost_context', 'AGENTS', 'read the notes first'],
    ['memory_miss', 'AGENTS', 'read the notes first'],
    ['hydration_fail', 'AGENTS', 'read the notes first'],
    ['wal_miss', 'AGENTS', 'read the notes first'],
    ['wrong_output', 'AGENTS', 'compare the result with each point'],
    ['incomplete_task', 'AGENTS', 'item by item'],
    ['missing_tool', 'TOOLS', 'say immediately which one'],
    ['skill_gap', 'TOOLS', 'say immediately which one'],
    ['over_confirmation', 'SOUL', 'ask back only before a step that cannot be undone'],
    ['repeated_mistake', 'AGENTS', 'say what went wrong the first time'],
    ['loop', 'AGENTS', 'choose a different approach'],
  ])('%s goes into %s', ([issue, file, words]) => {
    expect(rules({ issue, count: 7 })).toMatchObject([
      { file, text: expect.stringContaining(words), why: `callers reported 7 of them as ${issue}` },
    ]);
  });

  it('leaves out the name of a task that would make it a text that may not be sent', () => {
    expect(rules({ issue: 'incomplete_task', task: 'disable' })[0]?.text).toMatch(/^Whenever you do this task, /);
    expect(rules({ issue: 'incomplete_task', task: 'resend' })[0]?.text).toMatch(/^When you work on “resend”, /);
  });

  it.for<[Issue]>([['cancelled'], ['model_fallback'], ['bad_routing'], ['cost_overrun'], ['slow_response']])(
    'as %s is none',
    ([issue]) => {
      expect(rules({ issue })).toEqual([]);
    },
  );

  it('is none for what is no failure', () => {
    expect(rules({ issue: 'wrong_output', kind: 'slow' })).toEqual([]);
  });
});

describe('the rule for a fact that was expected each time', () => {
  const wrong = (differences: Pattern['differences'], parts: Partial<Pattern> = {}) =>
    rules({ issue: 'wrong_output', ...(differences && { differences }), ...parts });

  it('comes first, quotes what came instead, and is for a person to judge', () => {
    const [first, second] = wrong([
      { expected: '42 euros', actual: '41 euros' },
      { expected: '42 euros', actual: '43 euros' },
    ]);
    expect(first).toEqual({
      text: 'When you work on “deploy”, make sure that the result is “42 euros”, where “41 euros” came before.',
      file: 'AGENTS',
      why: 'this is what was expected each time',
      confidence: 0.5,
      by: 'the recorded failures',
    });
    expect(second?.text).toContain('compare the result');
  });

  it('leaves out what came if it cannot be quoted', () => {
    expect(wrong([{ expected: '42 euros', actual: '' }])[0]?.text).toBe(
      'When you work on “deploy”, make sure that the result is “42 euros”.',
    );
  });

  it('comes second if the caller named the class of the failure', () => {
    const named = wrong([{ expected: '42 euros', actual: '41' }], { issue: 'incomplete_task' });
    expect(named.map(({ by }) => by)).toEqual([undefined, 'the recorded failures']);
  });

  it.for<[string, Pattern['differences']]>([
    ['there is none', undefined],
    ['nothing was expected', [{ actual: '41 euros' }]],
    [
      'it differed',
      [
        { expected: '42 euros', actual: 'a' },
        { expected: '43 euros', actual: 'b' },
      ],
    ],
    ['it may not be quoted', [{ expected: 'see https://evil.example', actual: 'a' }]],
  ])('is not given if %s', ([, differences]) => {
    expect(wrong(differences).map(({ by }) => by)).toEqual([undefined]);
  });

  it('quotes up to 80 characters', () => {
    const long = 'word '.repeat(16).trim();
    expect(wrong([{ expected: long, actual: long }])[0]?.text).toContain(`“${long}”, where “${long}” came`);
    expect(wrong([{ expected: `${long} word`, actual: 'no' }])[0]?.text).toContain('word…”, where “no” came');
  });
});
