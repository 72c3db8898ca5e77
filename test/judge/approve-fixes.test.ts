import { describe, expect, it } from 'vitest';
import type { ApprovalFacts } from '../../src/contract/change-kind.js';
import type { Fix } from '../../src/contract/fix.js';
import type { Verdict } from '../../src/contract/verdict.js';
import { ChangeKinds } from '../../src/fix/change-kinds.js';
import { approveFixes } from '../../src/judge/approve-fixes.js';
import { policyOnly, ruleChange, somePattern, someTask } from '../fix/fixtures.js';
import { proposedFix } from '../ledger/fixtures.js';
import { cycleWith } from './fixtures.js';

const fixOf = (id: string, parts: Partial<Fix> = {}): Fix => ({ ...proposedFix(id), ...parts });
const UNDECIDED = { kind: 'inconclusive', why: 'deadline', atMs: 5 } as Verdict; // its figures are not read here

/** One cycle's approvals, by a kind that approves every fix whose id begins with `safe`. */
async function world(fixes: readonly Fix[], more: object = {}) {
  const questions: (readonly string[])[] = [];
  const facts = new Map<string, ApprovalFacts>();
  const kind = {
    ...policyOnly(),
    approval: ({ id }: Fix, about: ApprovalFacts) => {
      facts.set(id, about);
      if (id === 'broken') throw new Error('bad kind');
      return id.startsWith('safe') ? 'inside its bounds' : undefined;
    },
  };
  const cycle = await cycleWith(fixes, {
    patterns: [somePattern()],
    tasks: [someTask()],
    more: {
      kinds: new ChangeKinds([kind]),
      questions: { ask: async (asked: readonly Fix[]) => void questions.push(asked.map(({ id }) => id)) },
      analyzer: { resolve: (id: string) => (id === 'merged' ? 'pattern-1' : id) },
      ...more,
    },
  });
  return { ...cycle, facts, questions, approve: () => approveFixes(cycle.now) };
}

describe('a proposal', () => {
  it('that its kind finds safe is approved by the loop, with the reason', async () => {
    const { approve, written, facts } = await world([fixOf('safe', { patternId: 'merged' }), fixOf('other')]);
    await approve();
    expect(await written()).toEqual([
      ...[
        { kind: 'fix-moved', atMs: 1_000_000, by: 'auto', fixId: 'safe', to: 'approved', reason: 'inside its bounds' },
      ],
    ]);
    expect(facts.get('safe')).toMatchObject({ task: { task: 'api_call' }, pattern: { id: 'pattern-1' } });
  });

  it('is approved once', async () => {
    const { approve, written, facts } = await world([
      fixOf('safe', { status: 'approved' }),
      fixOf('safe-2', { status: 'trial' }),
    ]);
    await approve();
    expect([await written(), facts.size]).toEqual([[], 0]);
  });

  it('is left as it is if its kind fails, and the others are approved', async () => {
    const { approve, status, problems } = await world([fixOf('broken'), fixOf('safe')]);
    await approve();
    expect([status('broken'), status('safe')]).toEqual(['proposed', 'approved']);
    expect(problems).toEqual(['fix broken was left as it is: bad kind']);
  });
});

describe('a person', () => {
  it('is asked about proposals that the loop may not approve, and about trials without a result', async () => {
    const { approve, questions } = await world([
      fixOf('safe'),
      fixOf('unsafe'),
      fixOf('needs a step', { needs: 'call loop.run' }),
      fixOf('rule that needs a step', { needs: 'call loop.begin', change: ruleChange() }),
      fixOf('trial', { status: 'trial' }),
      fixOf('undecided', { status: 'trial', verdict: UNDECIDED }),
    ]);
    await approve();
    expect(questions).toEqual([['unsafe', 'rule that needs a step', 'undecided']]);
  });

  it('is asked nothing while the loop is frozen or may run no trials, and nothing is approved', async () => {
    const held = await world([fixOf('safe'), fixOf('unsafe')], { noTrials: 'RSI_FREEZE is set' });
    await held.approve();
    const frozen = await world([fixOf('safe'), fixOf('unsafe')]);
    await frozen.ledger.append(() => [{ kind: 'frozen', atMs: 1, by: 'ada', reason: 'incident' }]);
    await frozen.approve();
    for (const { questions, status } of [held, frozen]) {
      expect([questions, status('safe')]).toEqual([[], 'proposed']);
    }
  });
});
