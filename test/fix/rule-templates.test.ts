import { describe, expect, it } from 'vitest';
import type { Issue } from '../../src/contract/issue.js';
import type { Pattern, RootCause } from '../../src/contract/pattern.js';
import { rulesFromTemplates } from '../../src/fix/rule-templates.js';
import { somePattern } from './fixtures.js';

/** Returns the rules for a pattern: the first words after the clause that names the task. */
const rules = (parts: Partial<Pattern>, adviceOnly = false) =>
  rulesFromTemplates(somePattern({ task: 'deploy', template: 'out of cheese', ...parts }), adviceOnly);
const files = (parts: Partial<Pattern>, adviceOnly = false) => rules(parts, adviceOnly).map(({ file }) => file);
const cause = (name: RootCause, confidence = 0.7) => ({ cause: name, confidence, evidence: [] });

describe('the rule for a failure', () => {
  it.for<[Issue, string, string]>([
    ['auth', 'TOOLS', 'ask a person to renew it'],
    ['permission', 'TOOLS', 'find out first what you are allowed to do'],
    ['quota_exceeded', 'TOOLS', 'say when it comes back'],
    ['validation', 'TOOLS', 'compare every argument with the schema'],
    ['content_filter', 'AGENTS', 'reword the request once'],
    ['model_not_found', 'TOOLS', 'take the model from the list'],
    ['not_found', 'TOOLS', 'list what exists'],
    ['context_length', 'AGENTS', 'piece by piece'],
    ['parse_error', 'AGENTS', 'answer in the requested format'],
    ['empty_response', 'AGENTS', 'always end with an answer'],
    ['timeout', 'TOOLS', 'split it into steps'],
    ['tool_failure', 'TOOLS', 'choose another way'],
    ['context_loss', 'AGENTS', 'read the notes first'],
    ['session_reset', 'AGENTS', 'read the notes first'],
    ['compaction_lost_context', 'AGENTS', 'read the notes first'],
    ['memory_miss', 'AGENTS', 'read the notes first'],
    ['hydration_fail', 'AGENTS', 'read the notes first'],
    ['wal_miss', 'AGENTS', 'read the notes first'],
    ['wrong_output', 'AGENTS', 'compare the result with each point'],
    ['incomplete_task', 'AGENTS', 'item by item'],
    ['missing_tool', 'TOOLS', 'say at once which one'],
    ['skill_gap', 'TOOLS', 'say at once which one'],
    ['over_confirmation', 'SOUL', 'ask back only before a step that cannot be undone'],
    ['repeated_mistake', 'AGENTS', 'say what went wrong the first time'],
    ['loop', 'AGENTS', 'choose a different approach'],
  ])('of class %s goes into %s', ([issue, file, words]) => {
    expect(rules({ issue })[0]).toMatchObject({ file, text: expect.stringContaining(words) });
  });

  it.for<[RootCause, string, string]>([
    ['reasoning_error', 'AGENTS', 'what each step rests on'],
    ['knowledge_gap', 'TOOLS', 'list what exists'],
    ['tool_failure', 'TOOLS', 'choose another way'],
    ['instruction_ambiguity', 'AGENTS', 'how you understand the request'],
    ['context_loss', 'AGENTS', 'read the notes first'],
    ['overconfidence', 'AGENTS', 'what proves it'],
  ])('whose answers were wrong by %s goes into %s', ([name, file, words]) => {
    const [first, second] = rules({ issue: 'wrong_output', rootCause: cause(name, 0.5) });
    expect(first).toMatchObject({ file, text: expect.stringContaining(words) });
    expect(second?.text).toContain('compare the result with each point');
    const [unsure] = rules({ issue: 'wrong_output', rootCause: cause(name, 0.49) });
    expect(unsure?.text).toContain('compare the result with each point');
  });

  it('that a caller named comes before one by its cause, and its message comes last', () => {
    expect(files({ issue: 'over_confirmation', rootCause: cause('knowledge_gap') })).toEqual(['SOUL', 'TOOLS']);
    const own = rules({ issue: 'my_own_issue', rootCause: cause('knowledge_gap') });
    expect(own.map(({ text }) => text)).toEqual([
      'When you work on “deploy”, list what exists and take names, paths and arguments from that list instead of guessing.',
      'When you work on “deploy”, look first for the cause of “out of cheese”, and remove it before you go on.',
    ]);
    expect(own[1]).toMatchObject({ file: 'AGENTS', confidence: 0.3, why: 'these failures say the same each time' });
  });

  it('names the tool if there is only one', () => {
    const text = (where: Pattern['where']) => rules({ issue: 'tool_failure', where })[0]?.text;
    expect(text([{ tool: 'grep' }, { tool: 'grep', model: 'a' }])).toContain(' and “grep” fails');
    expect(text([{ tool: 'grep' }, { tool: 'find' }])).toContain(' and the tool fails');
    expect(text([{ tool: 'evil.example' }])).toContain(' and the tool fails');
    expect(text('global')).toContain(' and the tool fails');
  });
});

describe('the name of a task or tool', () => {
  it('is left out of a rule that it would make one that may not be sent', () => {
    expect(rules({ issue: 'auth', task: 'send' })[0]?.text).toMatch(/^Whenever you do this task and the credentials /);
    expect(rules({ issue: 'auth', task: 'resend' })[0]?.text).toMatch(
      /^When you work on “resend” and the credentials /,
    );
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

describe('failures of the world around the agent', () => {
  it.for<[Issue, string]>([
    ['rate_limit', 'one after another'],
    ['overloaded', 'one after another'],
    ['resource_exhausted', 'one after another'],
    ['server_error', 'repeat the call at most twice'],
    ['network', 'repeat the call at most twice'],
  ])('as %s get a rule only if no setting is ever read', ([issue, words]) => {
    expect(rules({ issue }, true)).toMatchObject([{ file: 'TOOLS', text: expect.stringContaining(words) }]);
    expect(rules({ issue })).toEqual([]);
  });

  it.for<[Issue]>([
    ['cancelled'],
    ['model_fallback'],
    ['wrong_model_tier'],
    ['bad_routing'],
    ['cost_overrun'],
    ['slow_response'],
  ])('as %s get none', ([issue]) => {
    expect([rules({ issue }), rules({ issue }, true)]).toEqual([[], []]);
  });

  it('and what is no failure get none', () => {
    expect(rules({ issue: 'wrong_output', kind: 'slow' })).toEqual([]);
    expect(rules({ issue: 'network', kind: 'slow' }, true)).toEqual([]);
  });
});
