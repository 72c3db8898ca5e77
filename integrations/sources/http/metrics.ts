import type { Fix, HealthScore } from 'rsi-loop';
import { withoutControls } from '../../http/unseen.js';
import type { Service } from './service.js';

/** Metric in the text format of Prometheus, version 0.0.4. */
interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly samples: readonly Sample[];
}

interface Sample {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Maximum number of task and model names shown separately. Each is a time series in the scraper. */
const MAX_NAMES = 100;

/** Renders everything a server knows as samples. Does not change any state. */
export function renderMetrics({ loop, ingest, tasks, feed, counters }: Service): string {
  const health = loop.health();
  const patterns = loop.patterns();
  const all: readonly Metric[] = [
    gauge('rsi_health_score', 'Health, 0 (broken) to 1 (healthy).', [{ value: health.score }]),
    gauge('rsi_health_known', '1 when there is something to judge health by.', [{ value: Number(health.known) }]),
    gauge('rsi_task_health_score', 'Health by task.', byName('task', health.byTask)),
    gauge('rsi_model_health_score', 'Health by model.', byName('model', health.byModel)),
    gauge('rsi_patterns', 'Patterns in the window.', [{ value: patterns.length }]),
    gauge('rsi_patterns_recurring', 'Patterns that recur.', [
      { value: patterns.filter(({ recurring }) => recurring).length },
    ]),
    gauge('rsi_fixes', 'Fixes by status.', fixSamples(loop.fixes())),
    counter('rsi_outcomes_total', 'Outcomes sent to this server, by what became of them.', [
      { value: ingest.accepted, labels: { result: 'accepted' } },
      { value: ingest.known, labels: { result: 'duplicate' } },
      { value: ingest.refused, labels: { result: 'refused' } },
    ]),
    counter('rsi_outcomes_dropped_total', 'Outcomes that the loop dropped.', [{ value: counters.dropped }]),
    counter('rsi_problems_total', 'Problems the loop has reported.', [{ value: counters.problems }]),
    gauge('rsi_open_tasks', 'Tasks begun over HTTP that have not ended.', [{ value: tasks.size }]),
    gauge('rsi_store_queued_records', 'Records waiting for the store.', [{ value: loop.store.journal.queued }]),
    gauge('rsi_event_readers', 'Readers of /events.', [{ value: feed.readers }]),
    counter('rsi_http_requests_total', 'Requests to known routes.', [{ value: counters.requests }]),
    counter(
      'rsi_http_refusals_total',
      'Requests that were answered with a problem, by HTTP status.',
      Object.entries(counters.refusals).map(([status, value]) => ({ value, labels: { status } })),
    ),
  ];
  return all.map(renderMetric).join('');
}

function gauge(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, help, type: 'gauge', samples };
}

function counter(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, help, type: 'counter', samples };
}

function byName(label: string, scores: Readonly<Record<string, HealthScore>>): Sample[] {
  return Object.entries(scores)
    .filter(([, { known }]) => known)
    .slice(0, MAX_NAMES)
    .map(([name, { score }]) => ({ value: score, labels: { [label]: name } }));
}

function fixSamples(fixes: readonly Fix[]): Sample[] {
  const counts = new Map<string, number>();
  for (const { status } of fixes) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, value]) => ({ value, labels: { status } }));
}

/** Renders HELP and TYPE once, then the samples, each line ended by a line feed. */
function renderMetric({ name, help, type, samples }: Metric): string {
  if (samples.length === 0) return '';
  const lines = [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`];
  for (const { value, labels = {} } of samples) {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
    lines.push(`${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${numberText(value)}`);
  }
  return `${lines.join('\n')}\n`;
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapeLabel(text: string): string {
  return escapeHelp(withoutControls(text)).replaceAll('"', '\\"');
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}
