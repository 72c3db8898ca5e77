import type { TaskRow } from '../../run-views.js';
import { duration } from '../lib/format.js';
import { TONES } from '../lib/run-text.js';
import { State } from '../parts/state.js';
import type { Column } from '../parts/table-layout.js';
import { Text } from '../parts/text.js';

/** Indentation of one level of goals, and the deepest one that is drawn. */
const STEP_PX = 14;
const MAX_DEPTH = 12;

/** Columns of the tasks of a run. */
export const TASK_COLUMNS: readonly Column<TaskRow>[] = [
  {
    key: 'task',
    title: 'Task',
    width: 200,
    value: ({ id }) => id,
    cell: ({ id, depth }) => (
      <span class="tree" style={{ paddingLeft: `${Math.min(depth, MAX_DEPTH) * STEP_PX}px` }}>
        <Text value={id} limit={80} />
      </span>
    ),
  },
  {
    key: 'status',
    title: 'State',
    width: 110,
    value: ({ status }) => status,
    cell: ({ status }) => <State tone={TONES[status]} word={status} />,
  },
  { key: 'reason', title: 'Reason', width: 180, isFlexible: true, value: ({ reason }) => reason },
  { key: 'worker', title: 'Worker', width: 110, value: ({ worker, goal }) => worker ?? `goal: ${goal}` },
  { key: 'after', title: 'After', width: 120, value: ({ after }) => after.join(', ') },
  { key: 'attempts', title: 'Attempts', kind: 'number', width: 90, value: ({ attempts }) => attempts },
  { key: 'began', title: 'Began', kind: 'time', width: 100, value: ({ beganMs }) => beganMs },
  {
    key: 'length',
    title: 'Length',
    kind: 'number',
    width: 80,
    value: lengthOf,
    cell: (row) => {
      const ms = lengthOf(row);
      return ms === undefined ? <span class="dim">–</span> : duration(ms);
    },
  },
];

function lengthOf({ beganMs, endedMs }: TaskRow): number | undefined {
  return beganMs === undefined || endedMs === undefined ? undefined : endedMs - beganMs;
}
