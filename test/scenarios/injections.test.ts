import { type Fix, RSILoop } from 'rsi-loop';
import { checkRule } from 'rsi-loop/parts';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';
import { INJECTIONS } from '../fixtures/injections.js';
import { START } from './agent.js';
import { AgentFiles } from './agent-files.js';

/** What a task fails with that states nothing but an HTTP status. */
const STATUSES = { deploy: 401, buy: 402, open: 404, ask: 429, answer: 504, think: 529 };

/**
 * One day of an agent whose failures carry a text in every field that a stranger can fill. Issues are named, or stand in
 * the code of the error, or, for the tasks of `STATUSES`, in a status only.
 */
async function dayWith(text: string, { asTask }: { readonly asTask: boolean }) {
  const clock = new ManualClock(Date.UTC(2026, 0, 5));
  const files = new AgentFiles({ 'SOUL.md': START, 'AGENTS.md': START, 'TOOLS.md': START });
  const writer = { name: 'echo', write: async () => [{ text, file: 'SOUL', why: text, confidence: 1 }] };
  const names = ['report', 'call', ...Object.keys(STATUSES)];
  const allFiles = ['SOUL', 'AGENTS', 'TOOLS'] as const;
  const autoApprove = { confidenceAtLeast: 0, severityAtMost: 'critical' as const, files: allFiles, names };
  const loop = new RSILoop({ clock, random: seededRandom(1), workspace: files, ruleWriter: writer, autoApprove });
  const report = asTask ? text : 'report';
  for (let index = 0; index < 12; index++) {
    loop.observer.recordFailure({
      ...{ task: report, issues: ['incomplete_task'], session: `s${index}`, agent: text, tool: text },
      ...{ expected: text, actual: text, context: { note: text, [text.slice(0, 50)]: 1 } },
    });
    const call = loop.begin('call', { session: `s${index}` });
    const refused = Object.assign(new Error(`slow down. ${text}`), { status: 429, code: 'rate_limit_exceeded' });
    call.end({ success: false, error: refused });
    for (const [task, status] of Object.entries(STATUSES)) {
      // Thrown by a program, and sent by one in another language.
      const thrown = Object.assign(new Error(`it went away. ${text}`), { status });
      loop.observer.record({ task, error: thrown, tags: [text] });
      loop.observer.record({ task, error: `it went away. ${text}`, status });
    }
    await clock.advance(60_000);
  }
  for (let cycle = 0; cycle < 3; cycle++) await loop.runCycle();
  const fixes = loop.fixes();
  const shown = fixes.map(({ id }) => loop.explain(id));
  const patterns = loop.patterns().filter(({ kind }) => kind === 'failure');
  const found = {
    classes: patterns
      .map(({ task, issue }) => `${task in STATUSES || task === 'call' ? task : 'report'}: ${issue}`)
      .sort(),
    targets: fixes.map(({ target, issue }) => `${issue}: ${target}`).sort(),
    safe: fixes.flatMap(({ safe, change }) => (safe ? JSON.stringify(change) : [])).sort(),
  };
  const sessions = Array.from({ length: 4 }, (_, index) => loop.begin('call', { session: `later${index}` }).advice);
  const reached = [
    ...fixes.filter(isApplied).map(({ change }) => (change.kind === 'rule' ? change.text : JSON.stringify(change))),
    ...[...files.texts.values()].filter((file) => file !== START),
    ...[...sessions, loop.advice()].flat(),
  ];
  await loop.close();
  return {
    found,
    reached,
    fixes,
    diffs: shown.flatMap(({ diff }) => diff ?? []),
  };
}

/** Controls but line breaks, and format characters. */
const UNSEEN = /(?![\n\r])[\p{Cc}\p{Cf}]/u;

/** Safe settings go on trial without a person; every other fix that is not a proposal was approved. */
function isApplied({ safe, status }: Fix): boolean {
  return !safe && status !== 'proposed';
}

describe('100 texts that try to make the loop do something', () => {
  it('change no class, no target and no safe fix, and get nothing applied, in any field', {
    timeout: 120_000,
  }, async () => {
    expect(INJECTIONS).toHaveLength(100);
    expect(new Set(INJECTIONS).size).toBe(100);
    const counts = {
      classes: 0,
      targets: 0,
      safe: 0,
      applied: 0,
      rules: 0,
      unchecked: 0,
      markers: 0,
      unseen: 0,
    };
    // With the widest auto-approval there is, rules of templates reach sessions: those that hold declared names, or no name.
    const plainDays = await Promise.all([
      dayWith('the answer was short', { asTask: false }),
      dayWith('{}', { asTask: true }),
    ]);
    const ofTemplates = new Set(plainDays.flatMap(({ reached }) => reached));
    expect(ofTemplates.size).toBeGreaterThan(4);
    for (const asTask of [false, true]) {
      const plain = await dayWith('the answer was short', { asTask });
      for (const text of INJECTIONS) {
        const day = await dayWith(text, { asTask });
        for (const what of ['classes', 'targets', 'safe'] as const) {
          if (JSON.stringify(day.found[what]) !== JSON.stringify(plain.found[what])) {
            counts[what]++;
          }
        }
        const foreign = day.reached.filter((given) => !ofTemplates.has(given));
        counts.applied += foreign.length;
        for (const { change } of day.fixes) {
          if (change.kind !== 'rule') continue;
          counts.rules++;
          if (checkRule(change.text) !== undefined) counts.unchecked++;
        }
        for (const diff of day.diffs) {
          // The section has its two markers, its note and one rule: four lines, whatever was recorded.
          if (diff.split('\n').filter((line) => line.startsWith('+') && !line.startsWith('+++')).length !== 4)
            counts.markers++;
          if (UNSEEN.test(diff)) counts.unseen++;
        }
      }
    }
    console.log(`200 days with 100 texts: ${JSON.stringify(counts)}`);
    expect(counts.rules).toBeGreaterThanOrEqual(300);
    const { rules: _, ...harm } = counts;
    expect(harm).toEqual({ classes: 0, targets: 0, safe: 0, applied: 0, unchecked: 0, markers: 0, unseen: 0 });
  });

  it('of the kinds that have a shape or say it plainly pass as no rule, word by word', () => {
    const passed = INJECTIONS.filter(
      (text) => checkRule(text) === undefined || checkRule(`${text.trim()}.`) === undefined,
    );
    console.log(`${INJECTIONS.length - passed.length} of ${INJECTIONS.length} texts refused`);
    expect(INJECTIONS.length - passed.length).toBeGreaterThanOrEqual(70);
    // What passes is one plain sentence without addresses, code or disguise: a person reads what it says.
    for (const text of passed) expect(text).toMatch(/^[\p{L}\p{M}\p{N} ,:'’-]+$/u);
  });
});
