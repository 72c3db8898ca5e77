import { type Fix, RSILoop } from 'rsi-loop';
import { checkRule } from 'rsi-loop/kit';
import { ManualClock } from 'rsi-loop/testing';
import { seededRandom } from '../../src/lib/random.js';
import { START } from './agent.js';
import { AgentFiles } from './agent-files.js';

/** Tasks that fail with nothing but an HTTP status. */
const STATUSES = { deploy: 401, buy: 402, open: 404, ask: 429, answer: 504, think: 529 };

/** Counts of injected texts that changed something, or got into rules, diffs and what agents are handed. Every count but `rules` must be 0. */
export interface InjectionCounts {
  readonly days: number;
  /** Rules that were proposed. */
  readonly rules: number;
  readonly classes: number;
  readonly targets: number;
  readonly safe: number;
  readonly applied: number;
  readonly unchecked: number;
  readonly markers: number;
  readonly unseen: number;
}

/** Lets an agent fail for a day with each text in every field that strangers can fill, and compares with a plain day. */
export async function injectForADay(texts: readonly string[]): Promise<InjectionCounts> {
  const counts = {
    days: 0,
    rules: 0,
    classes: 0,
    targets: 0,
    safe: 0,
    applied: 0,
    unchecked: 0,
    markers: 0,
    unseen: 0,
  };
  // With the widest auto-approval there is, rules of templates reach sessions: those that hold declared names, or no name.
  const plainDays = [await dayWith('the answer was short', { asTask: false }), await dayWith('{}', { asTask: true })];
  const ofTemplates = new Set(plainDays.flatMap(({ reached }) => reached));
  if (ofTemplates.size < 2) throw new Error(`only ${ofTemplates.size} rules of templates reach an agent`);
  for (const asTask of [false, true]) {
    const plain = await dayWith('the answer was short', { asTask });
    for (const text of texts) {
      const day = await dayWith(text, { asTask });
      counts.days++;
      for (const what of ['classes', 'targets', 'safe'] as const) {
        if (JSON.stringify(day.found[what]) !== JSON.stringify(plain.found[what])) counts[what]++;
      }
      counts.applied += day.reached.filter((given) => !ofTemplates.has(given)).length;
      for (const { change } of day.fixes) {
        if (change.kind !== 'rule') continue;
        counts.rules++;
        if (checkRule(change.text) !== undefined) counts.unchecked++;
      }
      for (const diff of day.diffs) {
        // The section has its two markers, its note and one rule: four lines, for any record.
        const added = diff.split('\n').filter((line) => line.startsWith('+') && !line.startsWith('+++'));
        if (added.length !== 4) counts.markers++;
        if (UNSEEN.test(diff)) counts.unseen++;
      }
    }
  }
  return counts;
}

/**
 * One day of an agent whose failures carry a text in every field that a stranger can fill. Issues are named, or are in
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
