import { type Fix, RSILoop } from 'rsi-loop';
import { judgedParts } from 'rsi-loop/kit';
import { ManualClock } from 'rsi-loop/testing';
import { policyChange, ruleChange, someFix } from '../../fix/fixtures.js';

const arm = (tasks: number, failures: number) => ({ units: tasks, tasks, failures });
const FIGURES = {
  ...{ fix: arm(67, 2), control: arm(94, 19), effect: { value: 0.15, low: 0.03, high: 0.6 } },
  ...{ eHelp: 45, eHarm: 0.01, eNone: 0.01, needed: 40, guards: [] },
  inScope: { fix: arm(1_144, 81), control: arm(115, 30) },
};
const WEEKS = { kind: 'not-testable', reason: 'a verdict takes about 69 weeks at this volume', weeks: 69 } as const;

type Parts = Partial<Fix> & { readonly rule?: true };

/** Fixes in every state that a store can hold, one part of a store each. */
const STATES: Readonly<Record<string, Parts>> = {
  proposed: {},
  'rule that waits for its integration': { rule: true, needs: 'call loop.begin(...)', unit: 'session', safe: false },
  'setting that waits for the program': { needs: 'call loop.run("api_call", ...)' },
  'setting that needs the program and cannot be tested': { needs: 'call loop.run("api_call", ...)', forecast: WEEKS },
  remark: { forecast: WEEKS },
  'too few data to say how long': { forecast: { kind: 'not-testable', reason: 'less than a day was observed' } },
  approved: { status: 'approved', decision: { kind: 'approved', by: 'ada', atMs: 1 } },
  undecided: {
    status: 'trial',
    verdict: { kind: 'inconclusive', why: 'deadline', atMs: 1, figures: FIGURES },
    decision: { kind: 'approved', by: 'ada', atMs: 1 },
  },
  confirmed: { status: 'confirmed', verdict: { kind: 'confirmed', atMs: 1, figures: FIGURES } },
  'not as good as thought': {
    status: 'rolled-back',
    verdict: { kind: 'failed', why: 'guard', guard: 'cost', atMs: 1, figures: FIGURES },
  },
  reopened: { status: 'reopened', verdict: { kind: 'confirmed', atMs: 1, figures: FIGURES } },
  'left in force': {
    ...{ status: 'reopened', verdict: { kind: 'confirmed', atMs: 1, figures: FIGURES } },
    decision: { kind: 'approved', by: 'ada', atMs: 1 },
  },
  'applied without proof': {
    status: 'applied-unverified',
    verdict: {
      ...{ kind: 'inconclusive', why: 'not-randomised', atMs: 1 },
      placebo: { observed: 0.4, moments: 50, asFarByItself: 0.12 },
    },
  },
  rejected: { status: 'rejected', decision: { kind: 'rejected', by: 'ada', atMs: 1, reason: 'no' } },
};

/** Ways in which a task fails: every how manyth call, and for which model. */
const FAILURES = [
  { every: 200, error: 'connect ECONNREFUSED', task: 'fetch_page' },
  { every: 3, error: '429 Too Many Requests', task: 'api_call', model: 'haiku' },
] as const;

/** Opens 20 stores in memory: one for each state, and six that mix several. */
export async function openStores(): Promise<readonly { readonly name: string; readonly loop: RSILoop }[]> {
  const names = Object.keys(STATES);
  const mixed = Array.from({ length: 6 }, (_, at) => names.filter((_, index) => (index * 7 + at) % 3 === 0));
  const contents = [...names.map((name) => [name]), ...mixed, names].slice(0, 20);
  return Promise.all(
    contents.map(async (states, at) => ({ name: states.join(', '), loop: await openStore(states, at) })),
  );
}

async function openStore(states: readonly string[], at: number): Promise<RSILoop> {
  const clock = new ManualClock(Date.UTC(2026, 0, 5));
  const loop = new RSILoop({ clock, autoFix: false });
  await loop.ready();
  const { ledger } = judgedParts(loop);
  const failure = FAILURES[at % FAILURES.length] ?? FAILURES[0];
  for (let call = 1; call <= 600; call++) {
    const { task, every, error } = failure;
    const model = 'model' in failure && call % every !== 0 ? 'sonnet' : 'haiku';
    loop.observer.recordSimple(task, call % every === 0 ? { success: false, error, model } : { success: true, model });
    await clock.advance(300_000);
  }
  await loop.runCycle();
  await ledger.append(() =>
    states.map((state, index) => {
      const { rule, ...parts } = STATES[state] ?? {};
      const change = rule ? ruleChange() : policyChange({ set: { 'retries.network': 1 + (index % 3) } });
      const id = `fix-${at}${index}`.padEnd(14, '0') as Fix['id'];
      const fix = someFix(change, { id, task: `task_${index}`, changedMs: 1_000 + index, ...parts });
      return { kind: 'fix-proposed', atMs: clock.now(), by: 'auto', fix };
    }),
  );
  return loop;
}
