import { type Fix, type LedgerEntry, RSILoop, type Trial } from 'rsi-loop';
import type { LoopHandle } from 'rsi-loop/kit';
import { namedTexts } from 'rsi-loop/prompts';
import { describe, expect, it } from 'vitest';
import { LoopTexts, textsIn } from '../../../integrations/prompts/named-texts.js';
import type { FixId, OutcomeId } from '../../../src/contract/ids.js';
import type { Arm, ArmAssignment } from '../../../src/contract/start.js';
import { versionOf } from '../../../src/lib/text-version.js';
import { NO_ACTIVE_FIXES } from '../../../src/live/active-fixes.js';
import { INTERNALS } from '../../../src/live/internals.js';
import { proposedFix } from '../../ledger/fixtures.js';

const SCOPE = { task: 'answer' };
const OLD = { text: 'old', version: versionOf('old') };
const CHANGE = {
  ...{ kind: 'prompt', scope: SCOPE, name: 'system', text: 'new', version: versionOf('new'), undo: OLD },
  ...{ replaces: [OLD.version], by: 'ann', unit: 'task' },
};

/** The texts of a loop whose fix `text` came to its status at time 100. */
function world(unit: Trial['unit'], status: Fix['status'] = 'trial') {
  const trial = {
    ...{ fixId: 'text' as FixId, unit, scope: SCOPE, phase: 'running', phaseSinceMs: 0, share: 0.999, blockMs: 10 },
    ...{ alpha: 0.05, openedMs: 0, deadlineMs: 1e12, seed: 1, past: { tasks: 100, failures: 30 } },
  } as Trial;
  const fix = { ...proposedFix('text'), status, trial, change: CHANGE } as unknown as Fix;
  const moved: LedgerEntry = {
    kind: 'fix-moved',
    atMs: 100,
    by: 'auto',
    fixId: fix.id,
    to: status,
    reason: 'it',
    trial,
  };
  let reads = 0;
  const historyOf = () => {
    reads++;
    return [moved];
  };
  const parts = { prompts: {}, companionKinds: new Map(), ledger: { historyOf } };
  const texts = new LoopTexts({ [INTERNALS]: parts } as unknown as LoopHandle, { system: { text: 'old' } });
  const active = { ...NO_ACTIVE_FIXES, usable: [proposedFix('other'), fix], trials: [trial] };
  const start = (session?: string, atMs = 150) => ({
    ...{ id: 'o1' as OutcomeId, task: 'answer', scope: SCOPE, atMs, deadlineMs: 1e6, writer: 'w', counter: 0 },
    ...(session !== undefined && { session }),
  });
  return { texts, active, start, reads: () => reads };
}

const drew = (fixId: string, arm: Arm): ArmAssignment => ({ fixId: fixId as FixId, unit: 'u', arm, share: 0.5 });

describe('the texts of a starting task', () => {
  const arms = [drew('text', 'fix')];

  it('are those that its session began with', () => {
    const { texts, active, start } = world('session');
    const got = (session?: string, atMs?: number) => texts.of(start(session, atMs), arms, active).system;
    expect(got('old', 50)).toBe('old');
    expect(got('old', 150)).toBe('old');
    expect(got('new', 150)).toBe('new');
    expect(got(undefined, 50)).toBe('new');
  });

  it('belong to no trial that the session is too old for', () => {
    const { texts, active, start } = world('session');
    const both = [...arms, drew('limit', 'fix')];
    const kept = (session?: string, atMs?: number) =>
      texts.arms(both, start(session, atMs), active).map(({ fixId }) => fixId);
    expect(kept('old', 50)).toEqual(['limit']);
    expect(kept('old', 150)).toEqual(['limit']);
    expect(kept('new', 150)).toEqual(['text', 'limit']);
    expect(kept()).toEqual(['text', 'limit']);
    expect([texts.sessions.of('old'), texts.sessions.of('new')]).toEqual([50, 150]);
  });

  it('are found once for all tasks until the next decision', () => {
    const { texts, active, start, reads } = world('task');
    for (let count = 0; count < 5; count++) texts.of(start(), arms, active);
    expect(reads()).toBe(1);
    texts.of(start(), arms, { ...active });
    expect(reads()).toBe(2);
  });
});

describe('a text that is read without starting a task', () => {
  it('counts a session that is not known as beginning', () => {
    const { texts, active } = world('session');
    texts.sessions.note('old', 50);
    const read = (session?: string) => texts.read('system', { scope: SCOPE, session, atMs: 150 }, active);
    expect([read('old'), read('new'), read()]).toEqual(['old', 'new', 'old']);
    expect(texts.sessions.of('new')).toBeUndefined();
  });

  it('is in no trial that compares tasks or blocks, for a reader who names a session', () => {
    const { texts, active } = world('block');
    expect(texts.read('system', { scope: SCOPE, session: 'new', atMs: 150 }, active)).toBe('old');
  });

  it('is the one in force for a reader without a session', () => {
    const { texts, active } = world('task', 'applied-unverified');
    expect(texts.read('system', { scope: SCOPE, atMs: 150 }, active)).toBe('new');
  });
});

describe('the option prompts of a loop', () => {
  it('refuses what is no object of texts, and a writer that is none', () => {
    expect(() => namedTexts('You help.' as never)).toThrow('namedTexts got "You help.": give an object of texts');
    expect(() => namedTexts({}, { writer: {} as never })).toThrow('give promptWriter(...) or draftsBy(...)');
  });

  it('may be missing: a loop then has no text until one is declared', async () => {
    const loop = new RSILoop();
    expect(() => loop.prompt('system')).toThrow(
      'no prompt is called "system": give new RSILoop({ prompts: namedTexts(',
    );
    await expect(loop.tryPrompt('system', 'x', { by: 'ann' })).rejects.toThrow('no prompt is called "system"');
    textsIn(loop).table.declare('system', { text: 'You help.' });
    expect(textsIn(loop)).toBe(textsIn(loop));
    expect([loop.prompt('system'), loop.begin('answer').prompts]).toEqual(['You help.', { system: 'You help.' }]);
    await loop.close();
  });

  it('serves two loops, each with its own sessions and readers', async () => {
    const prompts = namedTexts({ system: { text: 'You help.' } });
    const [one, other] = [new RSILoop({ prompts }), new RSILoop({ prompts })];
    expect(one.begin('answer').prompts.system).toBe('You help.');
    expect([textsIn(one).taskOf('system'), textsIn(other).taskOf('system')]).toEqual(['answer', undefined]);
    await Promise.all([one.close(), other.close()]);
  });
});
