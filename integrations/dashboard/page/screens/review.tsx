import type { FixRow, ReviewView } from '../../fix-views.js';
import { count } from '../lib/format.js';
import { usePage } from '../lib/page-context.js';
import { address } from '../lib/route.js';
import { forecastText, issueWord } from '../lib/sentences.js';
import { useView } from '../lib/use-view.js';
import { Empty } from '../parts/empty.js';
import { Link } from '../parts/link.js';
import { Loaded } from '../parts/loaded.js';
import { Screen } from '../parts/screen.js';
import { Section } from '../parts/section.js';
import { StatusOf } from '../parts/state.js';
import { Table } from '../parts/table.js';
import type { Column } from '../parts/table-layout.js';
import { Text } from '../parts/text.js';
import { FixDetail } from './fix-detail.js';

export function ReviewScreen() {
  return <Loaded<ReviewView> kept={useView('review', 'review')}>{(view) => <Review view={view} />}</Loaded>;
}

function Review({ view: { waiting, blocked, remarks, decided } }: { readonly view: ReviewView }) {
  const { route, state, ask } = usePage();
  const chosen = route.query.fix ?? waiting[0]?.id;
  const { status } = state;
  const isFreezable = status !== undefined && !status.frozen && status.decisions.allowed;
  return (
    <Screen question="What should I decide?" title="Review" answer={reviewSummary(waiting)}>
      {isFreezable ? (
        <div class="corner row">
          {status.paused ? null : (
            <button type="button" onClick={() => ask({ verb: 'pause' })}>
              Pause trials
            </button>
          )}
          <button type="button" class="danger" onClick={() => ask({ verb: 'freeze' })}>
            Stop all trials
          </button>
        </div>
      ) : null}
      {waiting.length + blocked.length + remarks.length + decided.length === 0 ? (
        <Empty command="cycle">
          The loop has proposed nothing yet. It proposes a fix when the same failure has occurred several times. A cycle
          looks for them now.
        </Empty>
      ) : (
        <div class="master">
          <WaitingList waiting={waiting} chosen={chosen} />
          <div class="detail">{chosen === undefined ? null : <FixDetail key={chosen} id={chosen} />}</div>
        </div>
      )}
      {blocked.length === 0 ? null : (
        <Section title="What does your program have to allow?" note="these start automatically once it does">
          <Table
            name="blocked"
            label="proposals that need your program"
            rows={blocked}
            columns={BLOCKED}
            rowKey={({ id }) => id}
            open={({ id }) => address(['review'], { fix: id })}
          />
        </Section>
      )}
      {remarks.length === 0 ? null : (
        <Section title="What fits, but cannot be proven here?" note="you may apply these by hand">
          <Table
            name="remarks"
            label="remarks"
            rows={remarks}
            columns={REMARKS}
            rowKey={({ id }) => id}
            open={({ id }) => address(['review'], { fix: id })}
          />
        </Section>
      )}
      {decided.length === 0 ? null : (
        <Section title="Decided">
          <Table
            label="decided fixes"
            rows={decided}
            columns={DECIDED}
            rowKey={({ id }) => id}
            open={({ id }) => address(['review'], { fix: id })}
            order="-changed"
          />
        </Section>
      )}
    </Screen>
  );
}

function reviewSummary(waiting: readonly FixRow[]): string {
  if (waiting.length === 0) return 'Nothing waits for you.';
  const proposed = waiting.filter(({ status }) => status === 'proposed' || status === 'reopened').length;
  const others = waiting.length - proposed;
  const proposals = proposed === 1 ? '1 proposal waits' : `${count(proposed)} proposals wait`;
  const rest =
    others === 0 ? '' : `, and ${others === 1 ? '1 fix needs' : `${count(others)} fixes need`} a second look`;
  return `${proposals} for you${rest}. Approving starts a trial: a fix stays only if it is proven to help.`;
}

interface WaitingListProps {
  readonly waiting: readonly FixRow[];
  readonly chosen: string | undefined;
}

function WaitingList({ waiting, chosen }: WaitingListProps) {
  return (
    <ul class="list master-list" aria-label="Waiting for you">
      {waiting.map((fix) => (
        <li key={fix.id}>
          <Link to={['review']} query={{ fix: fix.id }} current={fix.id === chosen} class="master-item">
            <Text value={fix.title} limit={160} />
            <span class="dim">
              <StatusOf status={fix.status} /> · <Text value={fix.task} limit={60} />, {issueWord(fix.issue)}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const BLOCKED: readonly Column<FixRow>[] = [
  { key: 'title', title: 'Fix', width: 260, value: ({ title }) => title },
  { key: 'task', title: 'Task', width: 150, value: ({ task }) => task },
  { key: 'issue', title: 'Class', width: 130, value: ({ issue }) => issueWord(issue) },
  { key: 'needs', title: 'Needs first', width: 560, value: ({ needs }) => needs },
];

const REMARKS: readonly Column<FixRow>[] = [
  { key: 'title', title: 'Fix', width: 320, value: ({ title }) => title },
  { key: 'task', title: 'Task', width: 150, value: ({ task }) => task },
  { key: 'issue', title: 'Class', width: 130, value: ({ issue }) => issueWord(issue) },
  { key: 'why', title: 'Why no trial can decide', width: 480, value: (fix) => forecastText(fix) },
];

const DECIDED: readonly Column<FixRow>[] = [
  { key: 'title', title: 'Fix', width: 320, value: ({ title }) => title },
  {
    key: 'status',
    title: 'Status',
    width: 180,
    value: ({ status }) => status,
    cell: ({ status }) => <StatusOf status={status} />,
  },
  { key: 'task', title: 'Task', width: 160, value: ({ task }) => task },
  { key: 'issue', title: 'Class', width: 140, value: ({ issue }) => issueWord(issue) },
  { key: 'reason', title: 'Reason', width: 320, value: ({ reason }) => reason },
  { key: 'changed', title: 'Changed', kind: 'time', width: 110, value: ({ changedMs }) => changedMs },
];
