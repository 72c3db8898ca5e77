import { useMemo } from 'preact/hooks';
import type { SessionView, TranscriptView } from '../../session-views.js';
import { amount, count, countOf, dollars, duration } from '../lib/format.js';
import { usePage } from '../lib/page-context.js';
import { address } from '../lib/route.js';
import { issueWord } from '../lib/sentences.js';
import { useLate } from '../lib/use-late.js';
import { usePeriodView } from '../lib/use-period-view.js';
import { useView } from '../lib/use-view.js';
import { Facts } from '../parts/facts.js';
import { Link } from '../parts/link.js';
import { Loaded } from '../parts/loaded.js';
import { ModelNames } from '../parts/model-names.js';
import { Screen } from '../parts/screen.js';
import { Text } from '../parts/text.js';
import { When } from '../parts/when.js';
import { CallDetail } from './call-detail.js';
import { SessionBeside } from './session-beside.js';
import { isFailure } from './session-calls.js';
import { SessionFailures, SessionTree } from './session-tree.js';

export function SessionScreen({ id }: { readonly id: string }) {
  const kept = usePeriodView(['sessions', id], 'sessions');
  const { data, problem } = useView(address(['transcripts', id]), 'sessions');
  const isLate = useLate(PATIENCE_MS);
  // Requests that arrive after the calls would move them. A long transcript takes longer than a reader waits.
  const isReady = data !== undefined || problem !== undefined || isLate;
  // The server sends this view under this path.
  const content = (data as TranscriptView | undefined) ?? NONE;
  return (
    <Loaded<SessionView> kept={isReady ? kept : WAITING}>
      {(view) => <Session view={view} content={content} isReading={data === undefined && !problem} />}
    </Loaded>
  );
}

const PATIENCE_MS = 400;
const WAITING = {};
const NONE: TranscriptView = { requests: [], about: {} };

interface SessionProps {
  readonly view: SessionView;
  readonly content: TranscriptView;
  /** Whether the transcript is still being read. */
  readonly isReading: boolean;
}

function Session({ view, content, isReading }: SessionProps) {
  const { session, omitted, calls, patterns } = view;
  const { pattern, call } = usePage().route.query;
  const failures = useMemo(() => calls.filter(isFailure), [calls]);
  const asked = pattern === undefined ? undefined : failures.find(({ id }) => patterns[id] === pattern);
  const chosen = calls.find(({ id }) => id === call) ?? asked ?? failures[0] ?? calls[0];
  return (
    <Screen
      title={`Session ${session.id}`}
      question={
        <>
          What happened in session <Text value={session.name ?? session.id} limit={80} />?
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
          ['Session', session.name === undefined ? undefined : <Text key="i" value={session.id} limit={80} />],
          ['Began', <When key="b" atMs={session.firstMs} />],
          ['Length', duration(session.lastMs - session.firstMs)],
          ['Agent', session.agent === undefined ? undefined : <Text key="a" value={session.agent} />],
          ['Source', <Text key="s" value={session.source} />],
          ['Models', session.models.length === 0 ? undefined : <ModelNames key="m" names={session.models} />],
          ['Tokens', session.tokens === undefined ? undefined : amount(session.tokens)],
          ['Cost', session.costUsd === undefined ? undefined : dollars(session.costUsd)],
        ]}
      />
      {omitted > 0 ? <p class="note">{count(omitted)} older calls are left out.</p> : null}
      <div class="session-view" aria-busy={isReading}>
        <SessionFailures failures={failures} chosen={chosen} sinceMs={session.firstMs} />
        {chosen === undefined ? null : <CallDetail key={chosen.id} call={chosen} view={view} />}
        <SessionTree view={view} content={content} chosen={chosen} />
      </div>
      <SessionBeside view={view} />
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
