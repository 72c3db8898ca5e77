import type { SessionRow } from '../../session-views.js';
import { amount, count, dollars, duration } from '../lib/format.js';
import { issueWord } from '../lib/sentences.js';
import { ModelNames } from '../parts/model-names.js';
import { State } from '../parts/state.js';
import type { Column } from '../parts/table-layout.js';
import { Text } from '../parts/text.js';

/** Columns of tables of sessions. */
export const SESSION_COLUMNS: readonly Column<SessionRow>[] = [
  {
    key: 'id',
    title: 'Session',
    width: 210,
    value: ({ id, name }) => (name === undefined ? id : `${name} (${id})`),
    cell: ({ id, name }) => (
      <span title={id}>
        <Text value={name ?? id} limit={120} />
      </span>
    ),
  },
  { key: 'last', title: 'Last call', kind: 'time', width: 108, value: ({ lastMs }) => lastMs },
  {
    key: 'failures',
    title: 'Failed',
    kind: 'number',
    width: 92,
    value: ({ failures }) => failures,
    cell: ({ failures, calls }) => `${count(failures)} of ${count(calls)}`,
  },
  {
    key: 'failure',
    title: 'Last failure',
    width: 240,
    isFlexible: true,
    value: ({ lastFailure: last }) => last && `${last.task}: ${last.message ?? issueWord(last.issue)}`,
    cell: ({ lastFailure: last }) =>
      last ? (
        <>
          <State tone="failing" word={<Text value={last.task} limit={60} />} />{' '}
          <span class="dim">
            <Text value={last.message ?? issueWord(last.issue)} limit={200} />
          </span>
        </>
      ) : (
        <span class="dim">none</span>
      ),
  },
  { key: 'calls', title: 'Calls', kind: 'number', width: 80, isOptional: true, value: ({ calls }) => calls },
  {
    key: 'length',
    title: 'Length',
    kind: 'number',
    width: 90,
    value: ({ firstMs, lastMs }) => lastMs - firstMs,
    cell: ({ firstMs, lastMs }) => duration(lastMs - firstMs),
  },
  {
    key: 'tokens',
    title: 'Tokens',
    kind: 'number',
    width: 90,
    value: ({ tokens }) => tokens,
    cell: ({ tokens }) => (tokens === undefined ? <span class="dim">–</span> : amount(tokens)),
  },
  {
    key: 'cost',
    title: 'Cost',
    kind: 'number',
    isOptional: true,
    width: 90,
    value: ({ costUsd }) => costUsd,
    cell: ({ costUsd }) => (costUsd === undefined ? <span class="dim">–</span> : dollars(costUsd)),
  },
  {
    key: 'models',
    title: 'Models',
    width: 140,
    value: ({ models }) => models.join(', '),
    cell: ({ models }) => <ModelNames names={models} />,
  },
  { key: 'agent', title: 'Agent', width: 120, isOptional: true, value: ({ agent }) => agent },
  { key: 'source', title: 'Source', width: 120, isOptional: true, value: ({ source }) => source },
];
