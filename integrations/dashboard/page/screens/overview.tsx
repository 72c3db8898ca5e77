import type { OverviewView } from '../../views.js';
import { count, countOf, DAY_MS, NOT_ENOUGH, relative, score, shortDay } from '../lib/format.js';
import { useNow, usePage } from '../lib/page-context.js';
import { capital } from '../lib/sentences.js';
import { usePeriodView } from '../lib/use-period-view.js';
import { Link } from '../parts/link.js';
import { Loaded } from '../parts/loaded.js';
import { WINDOW } from '../parts/period-choice.js';
import { Screen } from '../parts/screen.js';
import { FirstRun, WorkButton } from './first-run.js';
import { OverviewCharts } from './overview-charts.js';
import { OverviewLists } from './overview-lists.js';
import { LoopProblems } from './overview-problems.js';

export function OverviewScreen() {
  return (
    <Loaded<OverviewView> kept={usePeriodView(['overview'], 'overview')}>{(view) => <Overview view={view} />}</Loaded>
  );
}

function Overview({ view }: { readonly view: OverviewView }) {
  const isEmpty = !view.health.known && view.patterns === 0;
  return (
    <Screen question="Is the agent well?" title="Overview" period={WINDOW} answer={<Answer view={view} />}>
      {isEmpty ? (
        <Nothing />
      ) : (
        <>
          <OverviewLists view={view} />
          <OverviewCharts view={view} />
        </>
      )}
      <LoopProblems />
    </Screen>
  );
}

/** First step for an empty store. Imported records are counted by the first cycle. */
function Nothing() {
  if (usePage().state.status?.hasUnread) {
    return (
      <div class="empty">
        <p>Records are stored that no cycle has counted yet.</p>
        <WorkButton verb="cycle" button="Count them now" />
      </div>
    );
  }
  return <FirstRun />;
}

/** The health as one number with its interval, and one sentence. */
function Answer({ view: { health, before, confirmedSince } }: { readonly view: OverviewView }) {
  const nowMs = useNow();
  const { state } = usePage();
  const waiting = (state.status?.waiting ?? 0) + (state.status?.versionsWaiting ?? 0);
  const was =
    before === undefined
      ? ''
      : `was ${score(before.score)} ${nowMs - before.atMs > 10 * DAY_MS ? `on ${shortDay(before.atMs)}` : relative(before.atMs, nowMs)}${confirmedSince > 0 ? `, before ${countOf(confirmedSince, 'confirmed fix', 'confirmed fixes')}` : ''}; `;
  return (
    <span class="health">
      {health.known ? <strong class="big">{score(health.score)}</strong> : null}
      <span>
        {health.known ? intervalOf(health) : `${capital(NOT_ENOUGH)} yet; `}
        {was}
        {waiting === 0 ? (
          'nothing waits for you.'
        ) : (
          <Link to={[state.status?.waiting ? 'review' : 'benchmarks']}>
            {waiting === 1 ? '1 thing waits for you.' : `${count(waiting)} things wait for you.`}
          </Link>
        )}
      </span>
    </span>
  );
}

function intervalOf({ low, high }: OverviewView['health']): string {
  const interval =
    low <= 0 && high >= 1
      ? 'no interval: most tasks are from too short a time'
      : `interval ${score(low)} to ${score(high)}`;
  return `health, 0 to 1 (${interval}); `;
}
