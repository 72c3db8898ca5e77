import type { PatternView } from '../../views.js';
import { count, countOf, percent } from '../lib/format.js';
import { capital, issueWord, rateSentence, whereText } from '../lib/sentences.js';
import { usePeriodView } from '../lib/use-period-view.js';
import { Facts } from '../parts/facts.js';
import { Link } from '../parts/link.js';
import { Loaded } from '../parts/loaded.js';
import { WINDOW } from '../parts/period-choice.js';
import { Screen } from '../parts/screen.js';
import { Section } from '../parts/section.js';
import { TrendOf } from '../parts/state.js';
import { Text } from '../parts/text.js';
import { When } from '../parts/when.js';
import { PatternChart } from './pattern-chart.js';
import { PatternExamples } from './pattern-examples.js';
import { PatternFixes } from './pattern-fixes.js';
import { PatternNotes, PatternTriage } from './pattern-notes.js';
import { PatternSessions } from './pattern-sessions.js';

export function PatternScreen({ id }: { readonly id: string }) {
  const kept = usePeriodView(['patterns', id], 'patterns');
  return <Loaded<PatternView> kept={kept}>{(view) => <PatternPage view={view} />}</Loaded>;
}

function PatternPage({ view }: { readonly view: PatternView }) {
  const { pattern, cause } = view;
  return (
    <Screen
      title={`${pattern.task}: ${issueWord(pattern.issue)}`}
      period={WINDOW}
      question={
        <>
          Why does <Text value={pattern.task} limit={60} />{' '}
          {MORE[pattern.kind] ?? `fail with ${issueWord(pattern.issue)}`}?
        </>
      }
      answer={
        <>
          {capital(causeText(cause, pattern.issue))}. It affects {rateSentence(pattern.rate, pattern.task)},{' '}
          {whereText(pattern.where)}.
        </>
      }
    >
      <PatternTriage view={view} />
      <p class="template">
        <Text value={pattern.template} limit={1_000} />
      </p>
      <div class="two-columns">
        <div>
          <Facts
            facts={[
              ['Trend', <TrendOf key="t" trend={pattern.trend} />],
              ['Times', `${count(pattern.count)} in ${countOf(pattern.episodes, 'episode')}`],
              ['Since', <When key="s" atMs={pattern.firstSeenMs} />],
              ['Last', <When key="l" atMs={pattern.lastSeenMs} />],
              ['Severity', pattern.severity],
              ['Where', whereText(pattern.where)],
              ['Sources', <Text key="o" value={pattern.sources.join(', ')} limit={200} />],
            ]}
          />
          <Evidence view={view} />
        </div>
        <div>
          <PatternFixes view={view} />
          <PatternNotes view={view} />
        </div>
      </div>
      <PatternChart view={view} />
      <PatternExamples view={view} />
      <PatternSessions view={view} />
      <Related view={view} />
    </Screen>
  );
}

/** Ends of the question about work that succeeded. */
const MORE: Readonly<Record<string, string>> = { slow: 'take longer than before', costly: 'cost more than before' };

function causeText({ cause, confidence }: PatternView['cause'], issue: string): string {
  if (cause === 'undetermined') return 'the cause is not determined';
  // The class of the failure says as much.
  if (cause === issue) return 'the tool reports the failure, and its message is the cause';
  return `the cause is ${cause.replaceAll('_', ' ')} (confidence ${percent(confidence)})`;
}

function Evidence({ view: { cause } }: { readonly view: PatternView }) {
  if (cause.evidence.length === 0) return null;
  return (
    <Section title="Evidence for the cause">
      <ul class="bullets">
        {cause.evidence.map((fact) => (
          <li key={fact}>
            <Text value={fact} limit={400} />
          </li>
        ))}
      </ul>
      {cause.by === undefined ? null : (
        <p class="dim">
          Suggested by <Text value={cause.by} limit={80} />, because the rules could not determine it.
        </p>
      )}
    </Section>
  );
}

function Related({ view: { related } }: { readonly view: PatternView }) {
  if (related.length === 0) return null;
  return (
    <Section title="What happens together with it">
      <ul class="list">
        {related.map(({ id, title, lift, lagMs, name }) => (
          <li key={id}>
            <Link to={['patterns', id]}>
              <Text value={title} limit={160} />
            </Link>{' '}
            <span class="dim">
              {lift.toFixed(1)} times as often as by chance, {lagText(lagMs)}
              {name === undefined ? '' : `: ${name.replaceAll('_', ' ')}`}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function lagText(lagMs: number): string {
  const minutes = Math.round(Math.abs(lagMs) / 60_000);
  if (minutes === 0) return 'at the same time';
  return `about ${countOf(minutes, 'minute')} ${lagMs < 0 ? 'before' : 'after'} it`;
}
