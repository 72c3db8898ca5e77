import type { Outcome, OutcomeId, Pattern, Trend } from 'rsi-loop';
import type { SessionRow, SessionView } from '../../../../integrations/dashboard/session-views.js';
import type { PatternRow, PatternView, TimeAxis } from '../../../../integrations/dashboard/views.js';
import { DAY_MS, fixRow, HOUR_MS, NOW_MS, type Recorded } from './fixture-fixes.js';
import { fixtureRandom } from './fixture-random.js';

const TASKS = ['book_flight', 'search_hotels', 'summarize', 'extract_invoice', 'answer_mail'];
const ISSUES = [
  'timeout',
  'rate_limit',
  'network',
  'wrong_output',
  'invalid_request',
  'missing_tool',
  'context_overflow',
];
const TRENDS: readonly Trend[] = ['rising', 'steady', 'falling', 'new', 'resolved', 'returned'];
const MODELS = ['claude-haiku', 'claude-sonnet', 'gpt-5-mini'];
const MESSAGES = [
  'connect ETIMEDOUT <*>:443 after <*> ms',
  'Rate limit reached for <*>: try again in <*>s',
  'seat <*> is already taken',
  'Unexpected token < in JSON at position <*>',
  'tool `seat_map` is not available',
];

function pick<Value>(values: readonly Value[], index: number): Value {
  return values[index % values.length] as Value; // the list is not empty
}

export const WEEK: TimeAxis = { sinceMs: NOW_MS - 7 * DAY_MS, stepMs: 6 * HOUR_MS, buckets: 28 };
export const HOURS: TimeAxis = { sinceMs: NOW_MS - 7 * DAY_MS, stepMs: HOUR_MS, buckets: 168 };

export function patternRows(recorded: Recorded, count: number): readonly PatternRow[] {
  const random = fixtureRandom(3);
  return Array.from({ length: count }, (_, index): PatternRow => {
    const of = Math.round(200 + random() * 4_000);
    const value = index === 0 ? 0.28 : random() ** 3 * 0.3;
    const failures = Math.round(of * value);
    return {
      id: `p${index}`,
      kind: index % 200 === 3 ? 'slow' : index % 200 === 4 ? 'costly' : 'failure',
      task: recorded(pick(TASKS, index)),
      issue: pick(ISSUES, index + Math.floor(index / 7)),
      template: recorded(pick(MESSAGES, index)),
      count: failures,
      episodes: Math.ceil(failures / 9),
      rate:
        index % 9 === 8
          ? { value, low: 0, high: 1, of }
          : { value, low: value * 0.8, high: Math.min(1, value * 1.25), of },
      trend: pick(TRENDS, index),
      recurring: failures > 5,
      impact: { score: failures * (index === 0 ? 9 : 1), failures, lostMs: failures * 900, lostUsd: failures * 0.01 },
      severity: pick(['high', 'medium', 'low', 'critical'] as const, index),
      where: index % 3 === 0 ? 'global' : [{ model: recorded(pick(MODELS, index)), tool: recorded('search') }],
      sources: [recorded(index % 2 ? 'claude-code' : 'my-service')],
      firstSeenMs: NOW_MS - random() * 7 * DAY_MS,
      lastSeenMs: NOW_MS - random() * DAY_MS,
      trendLine: Array.from({ length: 28 }, (__, bucket) => Math.round(random() * (failures / 28) * (1 + bucket / 28))),
      sessions: Math.ceil(failures / 4),
      facets: {
        model: [
          [recorded(pick(MODELS, index)), failures],
          [recorded(pick(MODELS, index + 1)), 3],
        ],
        repository: [[recorded('travel'), failures]],
      },
      isMuted: false,
      ...(index === 2 && { assignee: recorded('grace') }),
      ...(index % 4 === 0 && {
        fix: { id: 'f-ok', status: pick(['confirmed', 'proposed', 'trial', 'rolled-back'] as const, index / 4) },
      }),
    };
  });
}

export function patternOf(recorded: Recorded, row: PatternRow): Pattern {
  const cause: Pattern['rootCause'] = {
    cause: 'tool_failure',
    confidence: 0.82,
    evidence: [
      recorded('91 % of the failures name the host api.example.com'),
      recorded('the same tasks succeed 4 s later'),
    ],
  };
  const actor: Pattern['actor'] = {
    who: 'loop',
    remedy: 'class/timeout',
    todo: recorded('Raise the time limit, or make the step smaller.'),
    evidence: { matched: 0, of: 2, said: [] },
  };
  return { ...row, related: [], rootCause: cause, actor, examples: [], evidence: [] };
}

export function patternView(recorded: Recorded, row: PatternRow, other: PatternRow | undefined): PatternView {
  const random = fixtureRandom(11);
  const tasks = Array.from({ length: HOURS.buckets }, () => Math.round(10 + random() * 20));
  const pattern = patternOf(recorded, row);
  return {
    pattern,
    axis: HOURS,
    tasks,
    occurrences: tasks.map((all) => Math.round(all * row.rate.value * 2 * random())),
    markers: [{ atMs: NOW_MS - 2 * DAY_MS, kind: recorded('deploy'), label: recorded('v2.3'), by: recorded('ci') }],
    examples: [
      { message: recorded('connect ETIMEDOUT 10.0.0.7:443 after 30000 ms'), count: 412, lastMs: NOW_MS - HOUR_MS },
      { message: recorded('connect ETIMEDOUT 10.0.0.9:443 after 30000 ms'), count: 67, lastMs: NOW_MS - 3 * HOUR_MS },
    ],
    cause: pattern.rootCause,
    isMuted: false,
    assignee: recorded('grace'),
    notes: [
      { atMs: NOW_MS - HOUR_MS, by: recorded('ada'), note: { kind: 'commented', text: recorded('the vendor knows') } },
      { atMs: NOW_MS - 2 * HOUR_MS, by: recorded('ada'), note: { kind: 'assigned', to: recorded('grace') } },
    ],
    related: other
      ? [
          {
            id: other.id,
            title: recorded('search_hotels: rate limit'),
            lift: 3.4,
            q: 0.002,
            lagMs: 240_000,
            name: 'retry_storm',
          },
        ]
      : [],
    fixes: [fixRow(recorded, { id: 'f-ok', title: 'Retry network errors up to 2 times', status: 'confirmed' })],
    sessions: sessionRows(recorded, 6),
    outcomes: calls(recorded, 4),
    searched: 20_000,
  };
}

export function sessionRows(recorded: Recorded, count: number): readonly SessionRow[] {
  const random = fixtureRandom(5);
  return Array.from({ length: count }, (_, index) => {
    const lastMs = NOW_MS - index * 1_300_000;
    const failures = index % 3 === 0 ? 1 + Math.floor(random() * 3) : 0;
    return {
      id: `${recorded('session')}-${index}`,
      agent: recorded('travel-agent'),
      source: recorded('claude-code'),
      firstMs: lastMs - Math.round(random() * 900_000),
      lastMs,
      calls: 20 + Math.floor(random() * 30),
      failures,
      tokens: Math.round(random() * 90_000),
      costUsd: random() * 0.4,
      models: [recorded(pick(MODELS, index))],
      ...(failures > 0 && { lastFailure: { task: recorded(pick(TASKS, index)), issue: pick(ISSUES, index) } }),
    };
  });
}

export function sessionView(recorded: Recorded, session: SessionRow): SessionView {
  return {
    session,
    calls: calls(recorded, session.calls),
    omitted: 0,
    patterns: { 'o-3': 'p0' },
    advice: [
      { fixId: 'f-rule', text: recorded('Check the seat map before booking.'), arm: 'fix' },
      { fixId: 'f-ok', text: recorded('Quote the price with its currency.'), arm: 'in-force' },
    ],
    good: {
      id: `${recorded('session')}-1`,
      lastMs: NOW_MS,
      tasks: [...TASKS.slice(0, 2), TASKS[4] ?? ''].map(recorded),
    },
  };
}

function calls(recorded: Recorded, count: number): readonly Outcome[] {
  const random = fixtureRandom(13);
  return Array.from({ length: count }, (_, index): Outcome => {
    // Seven calls in a row succeed.
    const success = index % 4 !== 3 || index === 11;
    return {
      id: `o-${index}` as OutcomeId, // as the server sends it
      atMs: NOW_MS - (count - index) * 20_000,
      task: recorded(pick(TASKS, index)),
      success,
      source: recorded('claude-code'),
      issues: success ? [] : [pick(ISSUES, index)],
      durationMs: Math.round(300 + random() * 9_000),
      tokens: { input: Math.round(random() * 6_000), output: Math.round(random() * 900) },
      model: recorded(pick(MODELS, index)),
      tool: recorded('search'),
      ...(!success && { error: { message: recorded('connect ETIMEDOUT 10.0.0.7:443 after 30000 ms') } }),
    };
  });
}
