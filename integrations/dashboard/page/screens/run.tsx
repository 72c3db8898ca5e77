import type { RunRow, RunView } from '../../run-views.js';
import { DecisionPlace } from '../decide/decision-bar.js';
import { VERBS } from '../decide/verbs.js';
import { count, countOf, duration } from '../lib/format.js';
import { usePage } from '../lib/page-context.js';
import { oneLine } from '../lib/recorded-text.js';
import { address } from '../lib/route.js';
import { progressText, TONES } from '../lib/run-text.js';
import { useView } from '../lib/use-view.js';
import { Copyable } from '../parts/copyable.js';
import { Facts } from '../parts/facts.js';
import { Loaded } from '../parts/loaded.js';
import { Screen } from '../parts/screen.js';
import { Section } from '../parts/section.js';
import { State } from '../parts/state.js';
import { Table } from '../parts/table.js';
import { Text } from '../parts/text.js';
import { When } from '../parts/when.js';
import { TASK_COLUMNS } from './task-columns.js';
import { TaskDetail } from './task-detail.js';

export function RunScreen({ id }: { readonly id: string }) {
  const { task } = usePage().route.query;
  const kept = useView(address(['runs', id], { task }), 'runs', { keepsLast: true });
  return <Loaded<RunView> kept={kept}>{(view) => <RunPage view={view} />}</Loaded>;
}

function RunPage({ view: { row, tasks, omitted, task } }: { readonly view: RunView }) {
  const { id, name, status, why, beganMs, changedMs } = row;
  return (
    <Screen
      title={`Run ${oneLine(id, 60)}`}
      question={
        <>
          How far is run <Text value={id} limit={80} />?
        </>
      }
      answer={`${progressText(row)}.`}
    >
      <Facts
        isShort
        facts={[
          ['State', <State key="s" tone={TONES[status]} word={status} />],
          ['Reason', why === undefined ? undefined : <Text key="w" value={why} limit={400} />],
          ['Name', <Text key="n" value={name} limit={80} />],
          ['Began', <When key="b" atMs={beganMs} />],
          ['Last step', <When key="l" atMs={changedMs} />],
          ['Length', duration(changedMs - beganMs)],
        ]}
      />
      <NextSteps row={row} />
      {task ? <TaskDetail task={task} run={row} /> : null}
      <Section title="Tasks" note="failed ones first, then those in progress">
        <Table
          label="tasks"
          rows={tasks}
          columns={TASK_COLUMNS}
          rowKey={(one) => one.id}
          open={(one) => address(['runs', id], { task: one.id })}
          empty="No task is planned yet."
        />
        {omitted > 0 ? (
          <p class="dim">
            {countOf(omitted, 'more task')} of {count(row.tasks)} not shown here: <code>npx rsi runs show</code> has
            all.
          </p>
        ) : null}
      </Section>
    </Screen>
  );
}

/** Ways to go on with a run that has not ended. */
function NextSteps({ row: { id, status, isOpen } }: { readonly row: RunRow }) {
  const { ask } = usePage();
  if (!isOpen) return null;
  return (
    <>
      {status === 'stopped' ? (
        <p class="row note">
          No process has this run. It can go on: <Copyable command={`npx rsi runs continue ${id} --module <file>`} />
        </p>
      ) : null}
      <DecisionPlace>
        <button type="button" onClick={() => ask({ verb: 'cancel-run', run: { id } })}>
          {VERBS['cancel-run'].button}
        </button>
      </DecisionPlace>
    </>
  );
}
