import type { SessionView } from '../../session-views.js';
import { amount, count, countOf, dollars, duration } from '../lib/format.js';
import { usePage } from '../lib/page-context.js';
import { issueWord } from '../lib/sentences.js';
import { usePeriodView } from '../lib/use-period-view.js';
import { Facts } from '../parts/facts.js';
import { Link } from '../parts/link.js';
import { Loaded } from '../parts/loaded.js';
import { Screen } from '../parts/screen.js';
import { Section } from '../parts/section.js';
import { State } from '../parts/state.js';
import { Text } from '../parts/text.js';
import { When } from '../parts/when.js';
import { SessionTimeline } from './session-timeline.js';

export function SessionScreen({ id }: { readonly id: string }) {
  const kept = usePeriodView(['sessions', id], 'sessions');
  return <Loaded<SessionView> kept={kept}>{(view) => <Session view={view} />}</Loaded>;
}

function Session({ view }: { readonly view: SessionView }) {
  const { session, omitted } = view;
  const { pattern } = usePage().route.query;
  return (
    <Screen
      title={`Session ${session.id}`}
      question={
        <>
          What happened in session <Text value={session.id} limit={80} />?
        </>
      }
      answer={<Answer view={view} />}
    >
      {pattern === undefined ? null : (
        <p class="note">
          <Link to={['patterns', pattern]}>Back to the pattern</Link>
        </p>
      )}
      <Facts
        isShort
        facts={[
          ['Began', <When key="b" atMs={session.firstMs} />],
          ['Length', duration(session.lastMs - session.firstMs)],
          ['Agent', session.agent === undefined ? undefined : <Text key="a" value={session.agent} />],
          ['Source', <Text key="s" value={session.source} />],
          ['Models', session.models.length === 0 ? undefined : <Text key="m" value={session.models.join(', ')} />],
          ['Tokens', session.tokens === undefined ? undefined : amount(session.tokens)],
          ['Cost', session.costUsd === undefined ? undefined : dollars(session.costUsd)],
        ]}
      />
      <Advice view={view} />
      <Section title="Calls" note={omitted > 0 ? `${count(omitted)} older calls are left out` : undefined}>
        <SessionTimeline view={view} />
      </Section>
    </Screen>
  );
}

function Answer({ view: { session } }: { readonly view: SessionView }) {
  const { lastFailure, failures, calls, firstMs, lastMs } = session;
  const all = `${countOf(calls, 'call')} in ${duration(lastMs - firstMs)}`;
  if (failures === 0 || !lastFailure) return <>{all}, none failed.</>;
  return (
    <>
      {all}, {count(failures)} failed. The last failure: {issueWord(lastFailure.issue)} in{' '}
      <Text value={lastFailure.task} limit={60} />.
    </>
  );
}

const ARMS = {
  fix: ['trial', 'given by a trial'],
  control: ['quiet', 'withheld by a trial'],
  'in-force': ['confirmed', 'in force'],
} as const;

function Advice({ view: { advice } }: { readonly view: SessionView }) {
  if (advice.length === 0) return null;
  return (
    <Section title="Rules it was given">
      <ul class="list">
        {advice.map(({ fixId, text, arm }) => (
          <li key={fixId}>
            <State tone={ARMS[arm][0]} word={ARMS[arm][1]} />{' '}
            <Link to={['trials', fixId]}>
              <Text value={text} limit={400} />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
