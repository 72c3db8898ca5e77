import type { FixRow, ReviewView } from '../../fix-views.js';
import { count } from '../lib/format.js';
import { usePage } from '../lib/page-context.js';
import { address } from '../lib/route.js';
import { issueWord } from '../lib/sentences.js';
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
import { VersionsWait } from '../parts/versions-wait.js';
import { FixDetail } from './fix-detail.js';

export function ReviewScreen() {
  return <Loaded<ReviewView> kept={useView('review', 'review')}>{(view) => <Review view={view} />}</Loaded>;
}

function Review({ view: { waiting, blocked, remarks, decided } }: { readonly view: ReviewView }) {
  const { route, state, ask } = usePage();
  const chosen = route.query.fix ?? [...waiting, ...remarks, ...blocked][0]?.id;
  const { status } = state;
  const isFreezable = status !== undefined && !status.frozen && status.decisions.allowed;
  return (
    <Screen question="What should I decide?" title="Review" answer={reviewSummary(waiting, remarks)}>
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
      <VersionsWait />
      {waiting.length + blocked.length + remarks.length + decided.length === 0 ? (
        <Empty command="cycle">
          The loop has proposed nothing yet. It proposes a fix when the same failure has occurred several times. A cycle
          looks for them now.
        </Empty>
      ) : (
        <div class="master">
          <div>
            <FixList title="Waits for you" fixes={waiting} chosen={chosen} />
            <FixList title="Fits, but no trial can prove it here" fixes={remarks} chosen={chosen} />
            <FixList title="Needs a step in your program" fixes={blocked} chosen={chosen} />
          </div>
          <div class="detail">{chosen === undefined ? null : <FixDetail key={chosen} id={chosen} />}</div>
        </div>
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

function reviewSummary(waiting: readonly FixRow[], remarks: readonly FixRow[]): string {
  if (waiting.length === 0) {
    if (remarks.length === 0) return 'Nothing waits for you.';
    const fit = remarks.length === 1 ? '1 fix fits' : `${count(remarks.length)} fixes fit`;
    return `No decision waits. ${fit}, but no trial can prove ${remarks.length === 1 ? 'it' : 'them'} at this volume: apply without proof, reject, or leave.`;
  }
  const proposed = waiting.filter(({ status }) => status === 'proposed' || status === 'reopened').length;
  const others = waiting.length - proposed;
  const proposals = proposed === 1 ? '1 proposal waits' : `${count(proposed)} proposals wait`;
  const rest =
    others === 0 ? '' : `, and ${others === 1 ? '1 fix needs' : `${count(others)} fixes need`} a second look`;
  return `${proposals} for you${rest}. Approving starts a trial: a fix stays only if it is proven to help.`;
}

interface FixListProps {
  readonly title: string;
  readonly fixes: readonly FixRow[];
  readonly chosen: string | undefined;
}

function FixList({ title, fixes, chosen }: FixListProps) {
  if (fixes.length === 0) return null;
  return (
    <Section title={title} note={count(fixes.length)}>
      <ul class="list master-list" aria-label={title}>
        {fixes.map((fix) => (
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
    </Section>
  );
}

const DECIDED: readonly Column<FixRow>[] = [
  { key: 'title', title: 'Fix', width: 260, value: ({ title }) => title },
  {
    key: 'status',
    title: 'Status',
    width: 160,
    value: ({ status }) => status,
    cell: ({ status }) => <StatusOf status={status} />,
  },
  { key: 'task', title: 'Task', width: 120, value: ({ task }) => task },
  { key: 'issue', title: 'Class', width: 110, value: ({ issue }) => issueWord(issue) },
  { key: 'reason', title: 'Reason', width: 220, value: ({ reason }) => reason },
  { key: 'changed', title: 'Changed', kind: 'time', width: 98, value: ({ changedMs }) => changedMs },
];
