import type { Fix, FixId, FixStatus, LedgerEntry, Pattern, TrialFigures, Verdict } from 'rsi-loop';
import type { FixRow, FixView, TrialPoint, TrialRow } from '../../../../integrations/dashboard/fix-views.js';
import { fixtureRandom } from './fixture-random.js';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const NOW_MS = Date.UTC(2026, 10, 22, 19, 0, 0);

/** Replaces each recorded text, so that a hostile fixture has one in every field. */
export type Recorded = (text: string) => string;

interface FixFacts {
  readonly id: string;
  readonly title: string;
  readonly status: FixStatus;
  readonly kind?: string;
  readonly patternId?: string;
  readonly may?: FixRow['may'];
  readonly wait?: NonNullable<FixRow['wait']>;
  readonly task?: string;
  readonly issue?: string;
}

export function fixRow(recorded: Recorded, facts: FixFacts): FixRow {
  return {
    patternId: 'p0',
    kind: 'policy',
    target: 'retries.network',
    unit: facts.kind === 'rule' ? 'session' : 'task',
    safe: true,
    may: [],
    forecast: { kind: 'testable', tasks: 940, days: 6 },
    changedMs: NOW_MS - 5 * HOUR_MS,
    ...facts,
    task: recorded(facts.task ?? 'book_flight'),
    issue: facts.issue ?? 'timeout',
    title: recorded(facts.title),
    reason: recorded('63 of 220 network failures passed when the call ran again by hand: retry up to 2 times'),
  };
}

/** Figures of a trial that has seen this many tasks in each arm. */
export function trialFigures(tasks: number, fixRate: number, controlRate: number, eHelp: number): TrialFigures {
  const arm = (rate: number, of: number) => ({ units: of, tasks: of, failures: Math.round(rate * of) });
  return {
    fix: arm(fixRate, tasks),
    control: arm(controlRate, Math.round(tasks * 1.2)),
    effect: { value: fixRate / controlRate, low: (0.5 * fixRate) / controlRate, high: (1.6 * fixRate) / controlRate },
    eHelp,
    eHarm: 0.2,
    eNone: 1.4,
    needed: 40,
    guards: [
      { guard: 'duration', eHarm: 1.3, needed: 100 },
      { guard: 'tokens', eHarm: 0.8, needed: 100 },
      { guard: 'other-tasks', eHarm: 0.4, needed: 100 },
    ],
    kinds: ['claude-sonnet', 'claude-haiku'].map((model, at) => ({
      scope: { model },
      fix: arm(fixRate, Math.round(tasks / 2)),
      control: arm(controlRate, Math.round(tasks / 2)),
      guard: { eHarm: [0.3, 130][at] ?? 1, needed: [40, 120][at] ?? 40, isExcluded: at === 1 },
    })),
    extraMs: 220,
    extraUsd: 0.0004,
  };
}

export function trialRows(recorded: Recorded): readonly TrialRow[] {
  const row = (facts: FixFacts, figures: TrialFigures, verdict?: Verdict): TrialRow => ({
    fix: fixRow(recorded, facts),
    unit: 'task',
    phase: verdict?.kind === 'confirmed' ? 'holdout' : verdict ? 'ended' : 'running',
    startedMs: NOW_MS - 3 * DAY_MS,
    deadlineMs: NOW_MS + 11 * DAY_MS,
    figures,
    ...(verdict && { verdict }),
  });
  const helped = trialFigures(67, 0.03, 0.2, 61);
  const harmed = trialFigures(120, 0.31, 0.12, 0.1);
  const open = trialFigures(150, 0.11, 0.19, 4.9);
  return [
    row(
      {
        id: 'f-trial',
        title: 'Wait 2 s before retrying rate limits',
        status: 'trial',
        may: ['rollback'],
        issue: 'rate_limit',
      },
      open,
    ),
    row(
      {
        id: 'f-trial2',
        title: 'Use claude-haiku for summarize',
        status: 'trial',
        may: ['rollback'],
        task: 'summarize',
      },
      trialFigures(12, 0.09, 0.1, 0.9),
    ),
    row(
      {
        id: 'f-ok',
        title: 'Retry network errors up to 2 times',
        status: 'confirmed',
        may: ['rollback'],
        issue: 'network',
      },
      helped,
      {
        kind: 'confirmed',
        atMs: NOW_MS - DAY_MS,
        figures: helped,
      },
    ),
    row({ id: 'f-harm', title: 'Give searches 60 s', status: 'rolled-back', task: 'search_hotels' }, harmed, {
      kind: 'failed',
      why: 'harm',
      atMs: NOW_MS - 2 * DAY_MS,
      figures: harmed,
    }),
    row({ id: 'f-open', title: 'Ask for the passport number first', status: 'rolled-back', kind: 'rule' }, open, {
      kind: 'inconclusive',
      why: 'deadline',
      atMs: NOW_MS - 4 * DAY_MS,
      figures: open,
    }),
  ];
}

export function waitingRows(recorded: Recorded): readonly FixRow[] {
  const may: FixRow['may'] = ['approve', 'reject', 'apply'];
  return [
    fixRow(recorded, {
      id: 'f-rule',
      title: 'Rule: check the seat map before booking',
      status: 'proposed',
      kind: 'rule',
      may,
    }),
    fixRow(recorded, { id: 'f-new', title: 'Give book_flight 45 s instead of 30 s', status: 'proposed', may }),
    fixRow(recorded, {
      id: 'f-open',
      title: 'Ask for the passport number first',
      status: 'rolled-back',
      kind: 'rule',
      may: ['approve'],
      wait: { kind: 'undecided', sentence: 'not decided before its deadline: try it again?' },
    }),
  ];
}

/** The page of a fix, with a trial of 80 points if it had one. */
export function fixView(recorded: Recorded, row: FixRow, trial: TrialRow | undefined, pattern: Pattern): FixView {
  const isRule = row.kind === 'rule';
  const id = row.id as FixId; // as the server sends it
  const fix: Fix = {
    id,
    patternId: row.patternId,
    task: row.task,
    issue: row.issue,
    target: row.target,
    change: isRule
      ? { kind: 'rule', scope: { task: row.task }, text: row.title, file: 'AGENTS', undo: { removeRule: id } }
      : { kind: 'policy', scope: { task: row.task }, set: { 'retries.network': 2 }, undo: { 'retries.network': 0 } },
    unit: 'task',
    status: row.status,
    safe: row.safe,
    reason: row.reason,
    ...(isRule && {
      wordedBy: recorded('claude-haiku'),
      expectedEffect: recorded('Bookings of taken seats stop, about 4 in 100 tasks.'),
      contradicts: [recorded('Never open the seat map without being asked.')],
    }),
    forecast: row.forecast,
    attempt: 1,
    proposedMs: NOW_MS - 6 * DAY_MS,
    changedMs: row.changedMs,
    decision: { kind: 'waiting', sinceMs: NOW_MS - 6 * DAY_MS },
    ...(trial && { trial: planOf(id, trial) }),
    ...(trial?.verdict && { verdict: trial.verdict }),
  };
  return {
    row,
    explanation: {
      fix,
      description: {
        what: row.title,
        undo: recorded('sets it back'),
      } as unknown as FixView['explanation']['description'], // not shown
      pattern,
      history: historyOf(recorded, fix),
      ...(trial?.figures && {
        figures: trial.verdict?.kind === 'confirmed' ? { ...trial.figures, afterwards: trial.figures } : trial.figures,
      }),
      ...(trial && {
        overAllTrials: {
          trial: 3,
          opened: 5,
          confirmedBefore: 1,
          attempt: 1,
          evidence: trial.figures?.eHelp ?? 1,
          needed: 40,
        },
      }),
      ...(isRule && {
        diff: `--- AGENTS.md\n+++ AGENTS.md\n@@ -1,3 +1,4 @@\n # Rules\n - Be brief.\n+- ${row.title}\n - Answer in English.\n`,
      }),
      lessons: [],
    },
    points: trial ? pointsOf(trial) : [],
    lines: { confirmed: 40, harm: 20, noEffect: 20 },
    change: isRule
      ? [
          {
            name: 'AGENTS.md',
            before: '# Rules\n- Be brief.\n- Answer in English.\n',
            after: `# Rules\n- Be brief.\n- ${row.title}\n- Answer in English.\n`,
          },
        ]
      : [{ name: 'retries.network', before: 0, after: 2 }],
  };
}

function planOf(fixId: FixId, { startedMs, deadlineMs, phase }: TrialRow): NonNullable<Fix['trial']> {
  return {
    fixId,
    unit: 'task',
    scope: {},
    phase: phase === 'holdout' ? 'holdout' : 'running',
    phaseSinceMs: startedMs,
    share: 0.5,
    alpha: 1 / 40,
    openedMs: startedMs,
    deadlineMs,
    seed: 1,
    past: { tasks: 900, failures: 180 },
  };
}

function historyOf(recorded: Recorded, fix: Fix): readonly LedgerEntry[] {
  return [
    { kind: 'fix-proposed', atMs: fix.proposedMs, by: 'loop', fix },
    {
      kind: 'fix-moved',
      atMs: fix.changedMs,
      by: recorded('ada'),
      fixId: fix.id,
      to: fix.status,
      reason: recorded('worth a try'),
    },
  ];
}

function pointsOf({ startedMs, figures, verdict }: TrialRow): readonly TrialPoint[] {
  if (!figures) return [];
  const random = fixtureRandom(7);
  const toMs = verdict?.atMs ?? NOW_MS;
  const steps = 80;
  const arm = (own: { readonly tasks: number; readonly failures: number }, share: number) => {
    const tasks = Math.round(own.tasks * share);
    const rate = own.failures / Math.max(1, own.tasks);
    const failures = Math.round(tasks * rate * (1 + (1 - share) * (random() - 0.4)));
    return { tasks, failures: Math.max(0, Math.min(tasks, failures)) };
  };
  return Array.from({ length: steps }, (_, index) => {
    const share = (index + 1) / steps;
    const wave = Math.exp((random() - 0.5) * 0.3 * (1 - share));
    return {
      atMs: startedMs + share * (toMs - startedMs),
      fix: arm(figures.fix, share),
      control: arm(figures.control, share),
      eHelp: figures.eHelp ** share * wave,
      eHarm: figures.eHarm ** share * wave,
      eNone: figures.eNone ** share * wave,
    };
  });
}
