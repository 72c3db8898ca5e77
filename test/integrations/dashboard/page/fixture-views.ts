import type { TranscriptView } from '../../../../integrations/dashboard/session-views.js';
import type {
  LedgerView,
  ModelsView,
  OverviewView,
  SettingsView,
  StatusView,
  StoreView,
  WorseView,
} from '../../../../integrations/dashboard/views.js';
import { benchmarksView, benchmarkView, improvementView } from './fixture-bench.js';
import { DAY_MS, fixRow, fixView, HOUR_MS, NOW_MS, type Recorded, trialRows, waitingRows } from './fixture-fixes.js';
import { HOURS, patternOf, patternRows, patternView, sessionRows, sessionView, WEEK } from './fixture-patterns.js';
import { fixtureRandom } from './fixture-random.js';
import { runsView, runView } from './fixture-runs.js';
import { skillsView, skillView } from './fixture-skills.js';

/** Answer of the server for a path below `api/`, without its query. */
export type Views = (path: string) => unknown;

export interface BusyOptions {
  readonly recorded?: Recorded;
  readonly patterns?: number;
  readonly status?: Partial<StatusView>;
}

/** Views of an agent that has run for a week. */
export function busyViews({ recorded = (text) => text, patterns = 60, status = {} }: BusyOptions = {}): Views {
  const rows = patternRows(recorded, patterns);
  const trials = trialRows(recorded);
  const waiting = waitingRows(recorded);
  const sessions = sessionRows(recorded, 240);
  const fixes = new Map([...trials.map(({ fix }) => fix), ...waiting].map((fix) => [fix.id, fix]));
  const lists: Readonly<Record<string, () => unknown>> = {
    status: () => ({ ...statusView(recorded), waiting: waiting.length, versionsWaiting: 1, ...status }),
    overview: () => overview(recorded, { rows, trials, waiting }),
    patterns: () => ({ patterns: rows, sessions: 80, all: { model: [[recorded('claude-haiku'), 900]] }, axis: WEEK }),
    sessions: () => ({ sessions, found: sessions.length, searched: 20_000 }),
    trials: () => ({ trials, alpha: { budget: 0.05, opened: 5, confirmed: 1, next: 0.012 } }),
    review: () => ({ waiting, blocked: [], remarks: [], decided: trials.map(({ fix }) => fix) }),
    models: () => modelsView(recorded),
    runs: () => runsView(recorded),
    skills: () => skillsView(recorded),
    worse: () => worseView(recorded),
    benchmarks: () => benchmarksView(recorded),
    settings: () => settingsView(recorded),
    ledger: () => ledgerView(recorded),
    store: () => storeView(recorded),
  };
  return (path) => {
    const [list = '', encoded] = path.split('/');
    if (encoded === undefined) return lists[list]?.();
    const id = decodeURIComponent(encoded);
    if (list === 'runs') return runView(recorded, id);
    if (list === 'skills') return skillView(recorded, id);
    if (list === 'benchmarks') return benchmarkView(recorded, id);
    if (list === 'improvements') return improvementView(recorded);
    if (list === 'patterns') {
      const row = rows.find((one) => one.id === id);
      return row && patternView(recorded, row, rows[1]);
    }
    if (list === 'transcripts') return transcriptView(recorded);
    if (list === 'sessions') {
      const session = sessions.find((one) => one.id === id);
      return session && sessionView(recorded, session);
    }
    const fix = list === 'fixes' ? fixes.get(id) : undefined;
    const [first] = rows;
    return (
      fix &&
      first &&
      fixView(
        recorded,
        fix,
        trials.find((one) => one.fix.id === id),
        patternOf(recorded, first),
      )
    );
  };
}

/** Views of a loop that has recorded nothing. */
export function emptyViews(): Views {
  const overview: OverviewView = {
    health: { score: 1, low: 0, high: 1, known: false },
    confirmedSince: 0,
    timeline: { axis: { ...HOURS, buckets: 0 }, tasks: [], score: [], failures: [] },
    markers: [],
    worst: [],
    patterns: 0,
    trials: [],
    verdicts: [],
    waiting: [],
  };
  const lists: Readonly<Record<string, unknown>> = {
    status: { ...statusView((text) => text), waiting: 0, problems: [] },
    overview,
    patterns: { patterns: [], sessions: 0, all: {}, axis: WEEK },
    sessions: { sessions: [], found: 0, searched: 0 },
    trials: { trials: [], alpha: { budget: 0.05, opened: 0, confirmed: 0, next: 0.025 } },
    review: { waiting: [], blocked: [], remarks: [], decided: [] },
    models: { axis: WEEK, rows: [] },
    runs: { folder: './rsi_runs', runs: [] },
    skills: { folder: './.agents/skills', skills: [], rejected: [] },
    worse: { answer: 'No session was compared yet.', facts: [] },
    benchmarks: { folder: './rsi_bench', benchmarks: [], improvements: [] },
    settings: { settings: settingsView((text) => text).settings.slice(2), rules: [] },
    ledger: { entries: [], chain: { state: 'intact', detail: 'no entry yet.' } },
    store: {
      facts: [{ name: 'Folder', value: './rsi_data' }],
      findings: [{ level: 'ok', message: 'the folder can be written' }],
    },
  };
  return (path) => lists[path];
}

function transcriptView(recorded: Recorded): TranscriptView {
  return {
    requests: [{ atMs: NOW_MS - DAY_MS, text: recorded('book the flight to Lisbon') }],
    about: { 'o-0': recorded('lisbon-2026') },
    call: {
      input: JSON.stringify({ city: recorded('Lisbon'), nights: 3, note: recorded('first line\nsecond line') }),
      result: recorded('no seat is left'),
      said: recorded('I look for a seat.'),
    },
  };
}

function statusView(recorded: Recorded): StatusView {
  return {
    nowMs: NOW_MS,
    version: '0.1.0',
    store: recorded('./rsi_data'),
    durability: 'store',
    simulated: false,
    lastCycleMs: NOW_MS - 60_000,
    hasUnread: false,
    window: { sinceMs: NOW_MS - 7 * DAY_MS, untilMs: NOW_MS },
    waiting: 0,
    versionsWaiting: 0,
    problems: [
      {
        atMs: NOW_MS - HOUR_MS,
        where: recorded('webhook'),
        message: recorded('https://hooks.example.com answered 503: the event was dropped'),
      },
    ],
    decisions: { allowed: true },
    signedIn: false,
    user: recorded('ada'),
    csrf: 'fixture',
  };
}

interface OverviewParts {
  readonly rows: ReturnType<typeof patternRows>;
  readonly trials: ReturnType<typeof trialRows>;
  readonly waiting: ReturnType<typeof waitingRows>;
}

function overview(recorded: Recorded, { rows, trials, waiting }: OverviewParts): OverviewView {
  const random = fixtureRandom(1);
  const tasks = Array.from({ length: HOURS.buckets }, (_, hour) =>
    Math.round(40 + 30 * Math.sin(hour / 3.8) + random() * 20),
  );
  const classes = ['timeout', 'rate_limit', 'network', 'wrong_output', 'other'];
  return {
    health: { score: 0.82, low: 0.79, high: 0.85, known: true },
    before: { score: 0.77, atMs: NOW_MS - DAY_MS },
    confirmedSince: 1,
    timeline: {
      axis: HOURS,
      tasks,
      score: tasks.map((_, hour) => (hour > 60 && hour < 66 ? null : 0.74 + hour / 2_000 + random() * 0.02)),
      failures: classes.map((issue, rank) => ({
        issue,
        counts: tasks.map((all) => Math.round((all * random() * 0.3) / (rank + 1))),
      })),
    },
    markers: [
      { atMs: NOW_MS - 6 * DAY_MS, kind: 'model', label: recorded('claude-haiku first used'), by: 'loop' },
      { atMs: NOW_MS - 2 * DAY_MS, kind: recorded('deploy'), label: recorded('v2.3'), by: recorded('ci') },
      {
        atMs: NOW_MS - DAY_MS,
        kind: 'fix-confirmed',
        label: recorded('Retry network errors up to 2 times'),
        by: 'loop',
      },
    ],
    worst: [...rows]
      .sort((a, b) => b.impact.score - a.impact.score)
      .slice(0, 8)
      .map((row, index) => ({ ...row, wordings: index === 1 ? 3 : 1 })),
    patterns: rows.length,
    trials: trials.filter(({ verdict }) => !verdict),
    verdicts: trials.filter(({ verdict }) => verdict),
    waiting,
  };
}

function modelsView(recorded: Recorded): ModelsView {
  const random = fixtureRandom(17);
  const rows = ['claude-sonnet', 'claude-haiku', 'gpt-5-mini'].flatMap((model, index) =>
    ['*', 'book_flight', 'summarize'].map((task) => {
      const value = 0.04 + index * 0.05;
      const calls = Array.from({ length: 28 }, () => Math.round(20 + random() * 30));
      return {
        model: recorded(model),
        task: task === '*' ? task : recorded(task),
        rate: { value, low: value * 0.8, high: value * 1.3, of: task === '*' ? 3_140 : 820 },
        p50Ms: 800 + index * 400,
        p90Ms: 4_200,
        ...(index < 2 && { tokens: 2_300, costUsd: 0.0042 }),
        calls,
        failures: calls.map((all) => Math.round(all * value * 2 * random())),
      };
    }),
  );
  return { axis: WEEK, rows };
}

function settingsView(recorded: Recorded): SettingsView {
  const setBy = fixRow(recorded, { id: 'f-ok', title: 'Retry network errors up to 2 times', status: 'confirmed' });
  const bounds = { min: 0, max: 5, unit: 'times' };
  return {
    settings: [
      {
        setting: 'retries.network',
        value: 2,
        layer: 'confirmed',
        scope: { task: recorded('book_flight') },
        bounds,
        setBy,
      },
      {
        setting: 'timeoutMs',
        value: 30_000,
        layer: 'user',
        scope: {},
        bounds: { min: 1_000, max: 600_000, unit: 'ms' },
      },
      { setting: 'retries.rate_limit', value: 1, layer: 'default', scope: {}, bounds },
    ] as unknown as SettingsView['settings'], // names of settings are not what the page is about
    rules: [
      {
        fix: fixRow(recorded, { id: 'f-rule', title: 'Rule: check the seat map', status: 'trial', kind: 'rule' }),
        text: recorded('Check the seat map before booking.'),
        file: 'AGENTS',
        path: recorded('AGENTS.md'),
        helpful: 12.4,
        harmful: 3.1,
      },
    ],
  };
}

function ledgerView(recorded: Recorded): LedgerView {
  const entry = (position: number, by: string, kind: string, sentence: string, reason?: string) => ({
    position,
    atMs: NOW_MS - (130 - position) * 3 * HOUR_MS,
    by: recorded(by),
    kind,
    sentence: recorded(sentence),
    ...(reason !== undefined && { reason: recorded(reason) }),
  });
  const entries = Array.from({ length: 120 }, (_, index) =>
    index % 3 === 0
      ? {
          ...entry(120 - index, 'ada', 'fix-moved', 'Approved: Retry network errors up to 2 times', 'worth a try'),
          fixId: 'f-ok',
        }
      : entry(120 - index, 'loop', 'fix-proposed', 'Proposed: Give book_flight 45 s instead of 30 s'),
  );
  return { entries, next: 1, chain: { state: 'intact', detail: '1,204 entries, verified 2 min ago.' } };
}

function worseView(recorded: Recorded): WorseView {
  return {
    answer: '365 sessions from 2026-01-01 to 2026-03-26: 1 signal got worse.',
    facts: [
      [
        recorded('edits that fail 1.8 → 7.3 % since client 2.1.20'),
        '52 of 2,869 before, 46 of 629 since 2026-03-11; noticed with a session of 2026-03-24.',
      ],
      ['edits that fail', '98 of 3,498'],
    ],
  };
}

function storeView(recorded: Recorded): StoreView {
  return {
    facts: [
      { name: 'Folder', value: recorded('./rsi_data') },
      { name: 'Outcomes', value: '1,004,310' },
      { name: 'Size', value: '212 MB' },
      { name: 'Leader', value: 'process 4711, heartbeat 2 s ago' },
    ],
    findings: [
      { level: 'ok', message: 'the ledger chain is intact' },
      {
        level: 'attention',
        message: recorded('the disk has 1.2 GB left'),
        advice: recorded('free space, or lower keepDays: records are dropped at 500 MB'),
      },
      { level: 'ok', message: 'one process leads, two record' },
    ],
  };
}
