import type { RunRow, TaskView } from '../../run-views.js';
import { DecisionPlace } from '../decide/decision-bar.js';
import { VERBS } from '../decide/verbs.js';
import { count } from '../lib/format.js';
import { usePage } from '../lib/page-context.js';
import { TONES } from '../lib/run-text.js';
import { Facts } from '../parts/facts.js';
import { Link } from '../parts/link.js';
import { LongText } from '../parts/long-text.js';
import { Section } from '../parts/section.js';
import { State } from '../parts/state.js';
import { Text } from '../parts/text.js';
import { When } from '../parts/when.js';

/** One task of a run: its place in the graph, how it ended, and a button to cancel it. */
export function TaskDetail({ task, run }: { readonly task: TaskView; readonly run: RunRow }) {
  const { ask } = usePage();
  const { row, dependents, result } = task;
  const { id, status, worker, goal, after, attempts, reason, beganMs, endedMs } = row;
  return (
    <Section
      title={
        <>
          Task <Text value={id} limit={120} />
        </>
      }
      note={<Link to={['runs', run.id]}>all tasks</Link>}
    >
      <Facts
        facts={[
          ['State', <State key="s" tone={TONES[status]} word={status} />],
          ['Reason', reason === undefined ? undefined : <LongText key="r" value={reason} />],
          ['Worker', worker === undefined ? undefined : <Text key="w" value={worker} />],
          ['Goal', goal === undefined ? undefined : <LongText key="g" value={goal} />],
          ['After', after.length === 0 ? undefined : <Tasks key="a" run={run.id} ids={after} />],
          ['Before', dependents.length === 0 ? undefined : <Tasks key="d" run={run.id} ids={dependents} />],
          ['Attempts', count(attempts)],
          ['Began', beganMs === undefined ? undefined : <When key="b" atMs={beganMs} />],
          ['Ended', endedMs === undefined ? undefined : <When key="e" atMs={endedMs} />],
          ['Result', result === undefined ? undefined : <LongText key="t" value={result} />],
        ]}
      />
      {run.isOpen && endedMs === undefined ? (
        <DecisionPlace>
          <button type="button" onClick={() => ask({ verb: 'cancel-task', run: { id: run.id, task: id } })}>
            {VERBS['cancel-task'].button}
          </button>
        </DecisionPlace>
      ) : null}
    </Section>
  );
}

function Tasks({ run, ids }: { readonly run: string; readonly ids: readonly string[] }) {
  return (
    <>
      {ids.map((id, index) => (
        <span key={id}>
          {index === 0 ? '' : ', '}
          <Link to={['runs', run]} query={{ task: id }}>
            <Text value={id} limit={80} />
          </Link>
        </span>
      ))}
    </>
  );
}
