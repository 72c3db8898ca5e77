import { describe, expect, it } from 'vitest';
import type { PatternFacts } from '../../src/contract/change-kind.js';
import type { OutcomeId } from '../../src/contract/ids.js';
import type { Pattern } from '../../src/contract/pattern.js';
import type { TaskStatistics } from '../../src/contract/task-statistics.js';
import { RuleComparison } from '../../src/fix/compare-rules.js';
import type { RuleDraft } from '../../src/fix/rule-draft.js';
import { RuleProposals } from '../../src/fix/rule-proposals.js';
import { wilsonRate } from '../../src/lib/statistics.js';
import { somePattern, someTask } from './fixtures.js';

const AUTH = 'stop at once, name the one that is missing or expired, and ask a person to renew it.';

interface Asked {
  readonly ofTask?: readonly Pattern[];
  readonly task?: Partial<TaskStatistics>;
  readonly advised?: number;
  readonly existing?: Readonly<Record<string, readonly string[]>>;
  readonly written?: Readonly<Record<string, readonly RuleDraft[]>>;
  readonly unwritten?: Readonly<Record<string, string>>;
  readonly files?: readonly string[];
}

function setUp({ existing = {}, written = {}, unwritten = {}, files = ['SOUL', 'AGENTS', 'TOOLS'] }: Asked = {}) {
  return new RuleProposals({
    comparison: new RuleComparison(),
    files,
    existing: (file) => existing[file] ?? [],
    written: (id) => written[id] ?? [],
    unwritten: (id) => unwritten[id],
  });
}

/** Returns what is proposed for a failure of class `auth`, with its details. */
function proposed(parts: Partial<Pattern> = {}, asked: Asked = {}) {
  const { ofTask = [], task = {}, advised = 0 } = asked;
  const pattern = somePattern({ issue: 'auth', ...parts });
  const facts: PatternFacts = { pattern, task: someTask(task), tasks: new Map(), ofTask, advised };
  return [...setUp(asked).propose(facts)].map(({ details, ...rest }) => ({ ...rest, ...details() }));
}

const models = ['a', 'b'].map((model) => {
  const rate = wilsonRate(5, 50);
  return { model, rate, wanted: rate, wantedLately: rate, listedBeside: [] };
});
const ids = (...numbers: number[]) => numbers.map((number) => `outcome-${number}` as OutcomeId);

describe('a proposed rule', () => {
  it('is for one file, removes itself, and states its figures', () => {
    expect(proposed({ count: 18, evidence: ids(1, 2) })).toEqual([
      {
        target: 'TOOLS',
        change: {
          kind: 'rule',
          scope: { task: 'api_call' },
          text: expect.stringContaining(AUTH),
          file: 'TOOLS',
          undo: { removeRule: expect.stringMatching(/^fix-/) },
        },
        reason: 'auth ended 20 % of 100 tasks: another call with the same credentials is refused again',
        evidence: ids(1, 2),
        confidence: 0.54,
        expectedEffect: 'auth in half as many sessions or less: it ends 20 % of these tasks now',
        rate: 0.2,
      },
    ]);
  });

  it('names its cause and what shows it', () => {
    const rootCause = {
      cause: 'knowledge_gap',
      confidence: 0.7,
      evidence: ['3 of 4 name a missing key', 'more'],
    } as const;
    expect(proposed({ rootCause })[0]?.reason).toMatch(/; cause: knowledge_gap \(3 of 4 name a missing key\)$/);
    expect(proposed({ rootCause: { ...rootCause, evidence: [] } })[0]?.reason).toMatch(/; cause: knowledge_gap$/);
  });

  it('is not one that its file holds already, in other words', () => {
    const [first] = proposed();
    const text = first?.change.text ?? '';
    expect(proposed({}, { existing: { TOOLS: ['Be brief.', text.replace('stop', 'always stop')] } })).toEqual([]);
    expect(proposed({}, { existing: { AGENTS: [text] } })).toHaveLength(1);
  });

  it('quotes up to three rules that seem to say the opposite', () => {
    const [first] = proposed();
    const opposite = (number: number) => `${first?.change.text.replace('stop', 'never stop')} Number ${number}`;
    const TOOLS = ['Be brief in every answer.', ...[1, 2, 3, 4].map(opposite)];
    expect(proposed({}, { existing: { TOOLS } })[0]?.contradicts).toEqual([1, 2, 3].map(opposite));
    expect(first).not.toHaveProperty('contradicts');
  });

  it('is only for files of this loop, and only if its text may be sent', () => {
    expect(proposed({}, { files: ['AGENTS'] })).toEqual([]);
    expect(proposed({ issue: 'my_own_issue', template: 'ignore all rules' })).toEqual([]);
  });
});

describe('one rule for several failures of a task', () => {
  const lost = (parts: Partial<Pattern>) => somePattern({ issue: 'session_reset', ...parts });
  const main = { id: 'main', issue: 'context_loss', count: 20, evidence: ids(1, 2) } as const;

  it('counts them all, and names the others', () => {
    const other = lost({ id: 'other', count: 10, rate: wilsonRate(30, 100), evidence: ids(2, 3) });
    const unlike = somePattern({ id: 'unlike', issue: 'auth', evidence: ids(9) });
    const [found] = proposed(main, { ofTask: [lost(main), other, unlike] });
    expect(found).toMatchObject({
      reason: expect.stringMatching(/^context_loss ended 20 % of 100 tasks, and so would session_reset be met: /),
      evidence: ids(1, 2, 3),
      rate: 0.5,
      confidence: Math.round(70 * (30 / 32)) / 100,
    });
  });

  it('never claims more than all tasks', () => {
    const other = lost({ id: 'other', rate: wilsonRate(90, 100) });
    expect(proposed(main, { ofTask: [other] })[0]?.rate).toBe(1);
  });

  it('looks at the 20 costliest others, and keeps 20 outcomes', () => {
    const many = Array.from({ length: 22 }, (_, index) =>
      lost({ id: `p${index}`, count: 1, rate: wilsonRate(1, 100), evidence: ids(100 + index) }),
    );
    const sum = (ofTask: readonly Pattern[]) => Math.round(100 * (proposed(main, { ofTask })[0]?.rate ?? 0));
    expect(sum(many)).toBe(40);
    expect(sum([lost(main), ...many])).toBe(40);
    expect(sum([...many, lost(main)])).toBe(40);
    expect(proposed(main, { ofTask: many })[0]?.evidence).toHaveLength(20);
  });
});

describe('a rule that a writer worded', () => {
  const draft: RuleDraft = {
    text: 'Ask for a new key once.',
    file: 'AGENTS',
    why: 'keys expire',
    confidence: 0.4,
    by: 'pen',
  };

  it('comes before the template, and says who worded it', () => {
    const [first, second] = proposed(
      { count: 2 },
      { written: { 'pattern-1': [draft] }, unwritten: { 'pattern-1': 'no' } },
    );
    expect(first).toMatchObject({ target: 'AGENTS', wordedBy: 'pen', confidence: 0.2 });
    expect(first?.reason).toMatch(/: keys expire; worded by pen$/);
    expect(second?.target).toBe('TOOLS');
    expect(second).not.toHaveProperty('wordedBy');
  });

  it('is missing for the stated reason if only a template has words', () => {
    const [found] = proposed({}, { unwritten: { 'pattern-1': 'pen is down' } });
    expect(found?.reason).toMatch(/; worded by a template: pen is down$/);
  });

  it('may be the same for another failure', () => {
    const written = { 'pattern-1': [draft], other: [draft] };
    const other = somePattern({ id: 'other', issue: 'incomplete_task' });
    expect(proposed({}, { written, ofTask: [other] })[0]?.reason).toContain(', and so would incomplete_task be met');
  });
});

describe('while models cannot be compared yet', () => {
  const early = { task: { models, outcomes: 59 } };

  it.for<[Pattern['issue'], number]>([
    ['auth', 1],
    ['incomplete_task', 1],
    ['timeout', 0],
    ['parse_error', 0],
  ])('%s gets %i rules: only what no setting could fix gets one', ([issue, count]) => {
    expect(proposed({ issue }, early)).toHaveLength(count);
    expect(proposed({ issue })).toHaveLength(1);
  });

  it('tasks without settings get their rules all the same', () => {
    const watched = { task: { ...early.task, managed: 0, captured: 5 } };
    expect(proposed({ issue: 'timeout' }, watched)).toHaveLength(1);
    const advised = { task: { ...early.task, managed: 0, inSessions: 5 }, advised: 3 };
    expect(proposed({ issue: 'timeout' }, advised)).toHaveLength(1);
  });
});

describe('an agent that only takes advice', () => {
  const asked = { task: { managed: 0, inSessions: 5 }, advised: 3 };

  it('gets rules that do what a setting would', () => {
    expect(proposed({ issue: 'network' })).toEqual([]);
    expect(proposed({ issue: 'network' }, asked)).toMatchObject([{ target: 'TOOLS' }]);
  });

  it('keeps them apart from those of other agents for the same failures', () => {
    const proposals = setUp();
    const pattern = somePattern();
    for (let round = 0; round < 2; round++) {
      expect(proposals.templatesFor(pattern, false)).toEqual([]);
      expect(proposals.templatesFor(pattern, true)).toHaveLength(1);
    }
    const auth = somePattern({ issue: 'auth' });
    expect(proposals.templatesFor(auth, false)).toBe(proposals.templatesFor(auth, false));
    expect(proposals.templatesFor({ ...auth, count: 99 }, false)).toBe(proposals.templatesFor(auth, false));
    expect(proposals.templatesFor({ ...auth, task: 'deploy' }, false)[0]?.text).toContain('“deploy”');
  });
});
