import type { ComponentChild } from 'preact';
import type { StatusView } from '../../views.js';
import { countOf, percent } from '../lib/format.js';
import { usePage } from '../lib/page-context.js';
import { State, type Tone } from '../parts/state.js';
import { Text } from '../parts/text.js';
import { When } from '../parts/when.js';
import { WorkButton } from '../screens/first-run.js';

/** Says in which state the figures are: simulated, frozen, old, being rebuilt, or without connection. */
export function StatusStrip() {
  const { state, ask } = usePage();
  const { status, connection } = state;
  return (
    <div class="strip" role="status" aria-label="State of the loop">
      {connection === 'lost' ? (
        <Notice tone="failing" word="Connection lost">
          The server does not answer
          {status ? (
            <>
              , figures are from <When atMs={status.nowMs} />
            </>
          ) : null}
          . The page reconnects automatically. If the server ended, start it with <code>rsi dashboard</code>.
        </Notice>
      ) : null}
      {status?.simulated ? (
        <Notice tone="trial" word="Simulated">
          A week of an invented agent. Nothing here happened. See your own with <code>rsi dashboard</code>.
        </Notice>
      ) : null}
      {status?.frozen ? (
        <Notice tone="waits" word="All trials stopped">
          <Text value={status.frozen.by} limit={60} /> stopped them <When atMs={status.frozen.atMs} />:{' '}
          <Text value={status.frozen.reason} limit={160} />. None starts until a person allows them again.
          {status.decisions.allowed ? (
            <button type="button" onClick={() => ask({ verb: 'unfreeze' })}>
              Allow trials again
            </button>
          ) : null}
        </Notice>
      ) : null}
      {status?.paused && !status.frozen ? (
        <Notice tone="waits" word="Trials paused">
          <Text value={status.paused.by} limit={60} /> paused them <When atMs={status.paused.atMs} />:{' '}
          <Text value={status.paused.reason} limit={160} />. They keep their evidence.
          {status.decisions.allowed ? (
            <button type="button" onClick={() => ask({ verb: 'resume' })}>
              Resume trials
            </button>
          ) : null}
        </Notice>
      ) : null}
      {status?.rebuilding ? (
        <Notice tone="trial" word="Rebuilding">
          {percent(status.rebuilding.records / Math.max(1, status.rebuilding.of))} of{' '}
          {countOf(status.rebuilding.of, 'record')} replayed. Figures are incomplete until then.
        </Notice>
      ) : null}
      {status?.stale === undefined ? null : <Stale status={status} />}
    </div>
  );
}

function Stale({ status: { stale = '', durability, hasUnread, lastCycleMs } }: { readonly status: StatusView }) {
  return (
    <Notice
      tone="waits"
      word={durability === 'memory' ? 'In memory' : lastCycleMs === undefined ? 'Not counted yet' : 'Old figures'}
    >
      <Text value={stale} limit={400} />
      {hasUnread ? <WorkButton verb="cycle" button="Count them now" /> : null}
    </Notice>
  );
}

interface NoticeProps {
  readonly tone: Tone;
  readonly word: string;
  readonly children: ComponentChild | ComponentChild[];
}

function Notice({ tone, word, children }: NoticeProps) {
  return (
    <div class={`notice notice-${tone}`}>
      <State tone={tone} word={word} /> <span class="notice-text">{children}</span>
    </div>
  );
}
