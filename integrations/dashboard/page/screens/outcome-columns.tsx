import type { Outcome } from 'rsi-loop';
import { amount, duration } from '../lib/format.js';
import { issueWord } from '../lib/sentences.js';
import { ModelNames } from '../parts/model-names.js';
import { State } from '../parts/state.js';
import type { Column } from '../parts/table-layout.js';
import { Text } from '../parts/text.js';

/** Columns of tables of single outcomes. */
export const OUTCOME_COLUMNS: readonly Column<Outcome>[] = [
  { key: 'task', title: 'Task', width: 180, value: ({ task }) => task },
  { key: 'at', title: 'Ended', kind: 'time', width: 110, value: ({ atMs }) => atMs },
  {
    key: 'result',
    title: 'Result',
    width: 150,
    value: ({ success, issues }) => (success ? 'succeeded' : issues.join(', ') || 'failed'),
    cell: (outcome) => <ResultOf outcome={outcome} />,
  },
  {
    key: 'error',
    title: 'Error',
    width: 220,
    isFlexible: true,
    value: ({ error, actual }) => error?.message ?? actual,
  },
  {
    key: 'duration',
    title: 'Duration',
    kind: 'number',
    width: 90,
    value: ({ durationMs }) => durationMs,
    cell: ({ durationMs }) => (durationMs === undefined ? <span class="dim">–</span> : duration(durationMs)),
  },
  {
    key: 'tokens',
    title: 'Tokens',
    kind: 'number',
    width: 80,
    value: ({ tokens }) => tokens && tokens.input + tokens.output,
    cell: ({ tokens }) => (tokens ? amount(tokens.input + tokens.output) : <span class="dim">–</span>),
  },
  {
    key: 'model',
    title: 'Model',
    width: 140,
    value: ({ model }) => model,
    cell: ({ model }) => (model === undefined ? <span class="dim">–</span> : <ModelNames names={[model]} />),
  },
  { key: 'tool', title: 'Tool', width: 120, isOptional: true, value: ({ tool }) => tool },
];

export function ResultOf({ outcome: { success, issues } }: { readonly outcome: Outcome }) {
  if (success) return <State tone="confirmed" word="succeeded" />;
  const word = issues.length === 0 ? 'failed' : <Text value={issues.map(issueWord).join(', ')} limit={80} />;
  return <State tone="failing" word={word} />;
}
