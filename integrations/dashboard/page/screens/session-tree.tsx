import type { ComponentChild } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Outcome } from 'rsi-loop';
import type { SessionView, TranscriptView } from '../../session-views.js';
import { count, countOf, duration } from '../lib/format.js';
import { usePage } from '../lib/page-context.js';
import { oneLine } from '../lib/recorded-text.js';
import { issueWord } from '../lib/sentences.js';
import { useKeys } from '../lib/use-keys.js';
import { State } from '../parts/state.js';
import { Text } from '../parts/text.js';
import {
  isFailure,
  listedCalls,
  offsetText,
  runsOf,
  startOf,
  stretchesOf,
  type Turn,
  turnsOf,
} from './session-calls.js';

interface TreeProps {
  readonly view: SessionView;
  readonly content: TranscriptView;
  readonly chosen: Outcome | undefined;
}

/** Media query of narrow.css for which the call is above the tree and not beside it. */
const IN_ONE_COLUMN = '(max-width: 1100px)';

/** Turns and calls of a session. Keys move through calls, and from failure to failure. */
export function SessionTree({ view, content, chosen }: TreeProps) {
  const { route, setQuery } = usePage();
  const withModel = route.query.models !== undefined;
  const calls = useMemo(() => listedCalls(view, withModel), [view, withModel]);
  const turns = useMemo(() => turnsOf(calls, content.requests), [calls, content]);
  const choose = (call: Outcome | undefined) => call && setQuery({ call: call.id });
  const tree = useRef<HTMLDivElement>(null);
  useKeys(({ key }) => {
    const step = ({ j: 1, k: -1 } as const)[key];
    if (step === undefined) return false;
    const lines = [...(tree.current?.querySelectorAll<HTMLButtonElement>('.call') ?? [])];
    const isFold = document.activeElement?.classList.contains('fold');
    const at = lines.findIndex((line) => (isFold ? line === document.activeElement : line.ariaCurrent === 'true'));
    const next = lines[Math.min(lines.length - 1, Math.max(0, at + step))];
    next?.focus();
    choose(calls.find(({ id }) => id === next?.dataset.call));
    return true;
  });
  const shown = useRef(chosen?.id);
  useLayoutEffect(() => {
    if (shown.current === chosen?.id) return; // the screen begins at its top
    shown.current = chosen?.id;
    // A focus in the tree follows the chosen call, so that keys continue from there.
    if (tree.current?.contains(document.activeElement))
      tree.current.querySelector<HTMLElement>('[aria-current]')?.focus({ preventScroll: true });
    const seen = matchMedia(IN_ONE_COLUMN).matches ? '.call-detail h2' : '.calls [aria-current]';
    document.querySelector(seen)?.scrollIntoView({ block: 'nearest' });
  }, [chosen?.id]);
  const hidden = view.calls.length - listedCalls(view, false).length;
  return (
    <div class="calls" ref={tree}>
      {turns.map((turn, index) => (
        <TurnOf key={index} turn={turn} view={view} about={content.about} chosen={chosen} choose={choose} />
      ))}
      {hidden === 0 ? null : (
        <button type="button" class="link" onClick={() => setQuery({ models: withModel ? undefined : '1' })}>
          {withModel ? 'Hide the answers of the model' : `Show ${countOf(hidden, 'answer')} of the model too`}
        </button>
      )}
    </div>
  );
}

interface TurnProps {
  readonly turn: Turn;
  readonly view: SessionView;
  readonly about: TranscriptView['about'];
  readonly chosen: Outcome | undefined;
  readonly choose: (call: Outcome) => void;
}

function TurnOf({ turn: { request, calls }, view: { session }, about, chosen, choose }: TurnProps) {
  const line = (call: Outcome) => (
    <button
      key={call.id}
      data-call={call.id}
      type="button"
      class={`call ${call.agent === session.agent ? '' : 'nested'}`}
      aria-current={call.id === chosen?.id ? 'true' : undefined}
      onClick={() => choose(call)}
    >
      <CallLine call={call} sinceMs={session.firstMs} about={about[call.id]} />
    </button>
  );
  return (
    <section class="turn">
      {request ? (
        <h3 class="request">
          <span class="offset">{offsetText(request.atMs - session.firstMs)}</span>
          <Text value={request.text} limit={160} />
        </h3>
      ) : null}
      {stretchesOf(calls).map((stretch) =>
        'id' in stretch ? (
          line(stretch)
        ) : (
          <Fold key={stretch[0].id} calls={stretch} sinceMs={session.firstMs} chosen={chosen} line={line} />
        ),
      )}
    </section>
  );
}

interface FoldProps {
  readonly calls: readonly [Outcome, ...Outcome[]];
  readonly sinceMs: number;
  readonly chosen: Outcome | undefined;
  readonly line: (call: Outcome) => ComponentChild;
}

/** Calls without failure in one line, until the reader opens it or one of them is chosen. */
function Fold({ calls, sinceMs, chosen, line }: FoldProps) {
  const hasChosen = calls.some(({ id }) => id === chosen?.id);
  const [own, setOpen] = useState<boolean | undefined>(hasChosen || undefined);
  const isOpen = own ?? hasChosen;
  return (
    <>
      <button type="button" class="call fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="offset">{offsetText(startOf(calls[0]) - sinceMs)}</span>
        <span class="call-task">
          {isOpen ? '▾' : '▸'} {countOf(calls.length, 'call')} without failure
        </span>
        <span class="dim clip">{oneLine(runsOf(calls.map(({ task }) => task)), 160)}</span>
      </button>
      {isOpen ? calls.map(line) : null}
    </>
  );
}

interface CallLineProps {
  readonly call: Outcome;
  readonly sinceMs: number;
  /** Its most telling argument. */
  readonly about?: string | undefined;
}

function CallLine({ call, sinceMs, about = '' }: CallLineProps) {
  const failed = isFailure(call);
  return (
    <>
      <span class="offset">{offsetText(startOf(call) - sinceMs)}</span>
      {failed ? (
        <State tone="failing" word={<Text value={call.task} limit={40} />} />
      ) : (
        <span class="call-task">
          <Text value={call.task} limit={40} />
        </span>
      )}
      <span class="dim clip">
        {oneLine(!call.success ? (call.error?.message ?? issueWord(call.issues[0] ?? '')) : about, 160)}
      </span>
      <span class="dim number">{call.durationMs === undefined ? '' : duration(call.durationMs)}</span>
    </>
  );
}

interface FailuresProps {
  readonly failures: readonly Outcome[];
  readonly chosen: Outcome | undefined;
  readonly sinceMs: number;
}

const SHOWN_FAILURES = 5;

/** The failures of the session first, and the way from one to the next. */
export function SessionFailures({ failures, chosen, sinceMs }: FailuresProps) {
  const { setQuery } = usePage();
  const at = failures.findIndex(({ id }) => id === chosen?.id);
  const move = (step: number) => {
    const next = failures[Math.min(failures.length - 1, Math.max(0, at < 0 ? 0 : at + step))];
    if (next) setQuery({ call: next.id });
  };
  useKeys(({ key }) => {
    if ((key !== 'n' && key !== 'p') || failures.length === 0) return false;
    move(key === 'n' ? 1 : -1);
    return true;
  });
  if (failures.length === 0) return null;
  return (
    <section class="failures" aria-label="Failures">
      <div class="row">
        <h2>Failures</h2>
        <span class="dim" role="status">
          {at < 0 ? count(failures.length) : `${count(at + 1)} of ${count(failures.length)}`}
        </span>
        <button type="button" disabled={at <= 0} onClick={() => move(-1)}>
          Previous<kbd class="hint">p</kbd>
        </button>
        <button type="button" disabled={at === failures.length - 1} onClick={() => move(1)}>
          Next<kbd class="hint">n</kbd>
        </button>
      </div>
      {failures
        .slice(Math.max(0, Math.min(at - 2, failures.length - SHOWN_FAILURES)))
        .slice(0, SHOWN_FAILURES)
        .map((call) => (
          <button
            key={call.id}
            type="button"
            class="call"
            aria-current={call.id === chosen?.id ? 'true' : undefined}
            onClick={() => setQuery({ call: call.id })}
          >
            <CallLine call={call} sinceMs={sinceMs} />
          </button>
        ))}
    </section>
  );
}
