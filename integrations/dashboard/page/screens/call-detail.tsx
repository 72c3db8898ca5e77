import type { ComponentChild } from 'preact';
import type { Outcome } from 'rsi-loop';
import type { SessionView, TranscriptView } from '../../session-views.js';
import { amount, duration } from '../lib/format.js';
import { address } from '../lib/route.js';
import { useView } from '../lib/use-view.js';
import { Facts } from '../parts/facts.js';
import { Link } from '../parts/link.js';
import { LongText } from '../parts/long-text.js';
import { State } from '../parts/state.js';
import { Text } from '../parts/text.js';
import { When } from '../parts/when.js';
import { ResultOf } from './outcome-columns.js';
import { offsetText, startOf } from './session-calls.js';

interface CallProps {
  readonly call: Outcome;
  readonly view: SessionView;
}

/** One call: its error in full, the rules it was given, and its arguments and result as the transcript holds them. */
export function CallDetail({ call, view }: CallProps) {
  const { session, patterns } = view;
  const path = address(['transcripts', session.id], { call: call.id });
  // The server sends this view under this path.
  const { data, problem } = useView(path, 'sessions');
  const content = data as TranscriptView | undefined;
  const error = call.error?.message ?? call.actual;
  const pattern = patterns[call.id];
  return (
    <section class="call-detail" aria-label="The chosen call" aria-busy={content === undefined && !problem}>
      <h2>
        <Text value={call.task} limit={80} /> <ResultOf outcome={call} />
      </h2>
      {error === undefined ? null : (
        <Block
          title="Error"
          note={pattern === undefined ? null : <Link to={['patterns', pattern]}>see the pattern</Link>}
        >
          <LongText value={error} />
        </Block>
      )}
      <Advice view={view} />
      <Facts
        isShort
        facts={[
          ['Began', offsetText(startOf(call) - session.firstMs)],
          ['Ended', <When key="e" atMs={call.atMs} />],
          ['Took', call.durationMs === undefined ? undefined : duration(call.durationMs)],
          ['Tokens', call.tokens && amount(call.tokens.input + call.tokens.output)],
          ['Model', call.model === undefined ? undefined : <Text key="m" value={call.model} />],
          ['Version', call.version === undefined ? undefined : <Text key="v" value={call.version} />],
          ['Agent', call.agent === undefined ? undefined : <Text key="a" value={call.agent} />],
        ]}
      />
      {content?.call?.said === undefined ? null : (
        <Block title="What the model said">
          <LongText value={content.call.said} />
        </Block>
      )}
      {content?.call?.input === undefined ? null : (
        <Block title="Arguments">
          <Arguments json={content.call.input} />
        </Block>
      )}
      {content?.call?.result === undefined ? null : (
        <Block title="Result">
          <LongText value={content.call.result} />
        </Block>
      )}
      <p class="dim">{noteOf(content, problem?.message)}</p>
    </section>
  );
}

function noteOf(content: TranscriptView | undefined, problem: string | undefined): string {
  if (problem !== undefined) return problem;
  if (content === undefined) return 'Reading the transcript…';
  if (content.missing !== undefined) return content.missing;
  if (content.call === undefined) return 'The transcript holds no arguments and no result for this entry.';
  return 'Read from the transcript just now, redacted, and kept nowhere.';
}

interface BlockProps {
  readonly title: string;
  readonly note?: ComponentChild;
  readonly children: ComponentChild;
}

function Block({ title, note, children }: BlockProps) {
  return (
    <div class="block">
      <h3>
        {title} {note}
      </h3>
      {children}
    </div>
  );
}

/** Arguments by name. Texts keep their line breaks. */
function Arguments({ json }: { readonly json: string }) {
  const values = valuesOf(json);
  if (!values) return <LongText value={json} />;
  return (
    <dl class="arguments">
      {Object.entries(values).map(([name, value]) => (
        <div key={name}>
          <dt>
            <Text value={name} limit={80} />
          </dt>
          <dd>
            <LongText value={typeof value === 'string' ? value : JSON.stringify(value, undefined, 1)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function valuesOf(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined; // it was cut
  }
}

const ARMS = {
  fix: ['trial', 'given by a trial'],
  control: ['quiet', 'withheld by a trial'],
  'in-force': ['confirmed', 'in force'],
} as const;

function Advice({ view: { advice } }: { readonly view: SessionView }) {
  if (advice.length === 0) return null;
  return (
    <Block title="Rules and versions of this session">
      <ul>
        {advice.map(({ fixId, text, arm }) => (
          <li key={fixId}>
            <State tone={ARMS[arm][0]} word={ARMS[arm][1]} />{' '}
            <Link to={['trials', fixId]}>
              <Text value={text} limit={400} />
            </Link>
          </li>
        ))}
      </ul>
    </Block>
  );
}
