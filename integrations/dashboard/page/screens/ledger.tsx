import { useMemo } from 'preact/hooks';
import type { LedgerRow, LedgerView } from '../../views.js';
import { countOf } from '../lib/format.js';
import { usePage } from '../lib/page-context.js';
import { usePeriodView } from '../lib/use-period-view.js';
import { Filter } from '../parts/filter.js';
import { Link } from '../parts/link.js';
import { Loaded } from '../parts/loaded.js';
import { ALL_TIMES } from '../parts/period-choice.js';
import { Screen } from '../parts/screen.js';
import { State } from '../parts/state.js';
import { Table } from '../parts/table.js';
import { type Column, FEW_ROWS } from '../parts/table-layout.js';
import { Text } from '../parts/text.js';

const FIRST = 200;

export function LedgerScreen() {
  const { who, kind, limit = `${FIRST}` } = usePage().route.query;
  const kept = usePeriodView(['ledger'], 'ledger', { who, kind, limit });
  return <Loaded<LedgerView> kept={kept}>{(view) => <Ledger view={view} />}</Loaded>;
}

function Ledger({ view: { entries, chain, next } }: { readonly view: LedgerView }) {
  const { route, setQuery } = usePage();
  const { who, kind } = route.query;
  const people = useMemo(() => distinct([who, ...entries.map(({ by }) => by)]), [entries, who]);
  const kinds = useMemo(() => distinct([kind, ...entries.map((entry) => entry.kind)]), [entries, kind]);
  return (
    <Screen
      question="Who decided what, and when?"
      title="Ledger"
      period={ALL_TIMES}
      answer={
        <>
          <State tone={CHAIN[chain.state][0]} word={CHAIN[chain.state][1]} />: {chain.detail}{' '}
          {countOf(entries.length, 'entry', 'entries')} shown.
        </>
      }
    >
      {entries.length > FEW_ROWS || `${who ?? ''}${kind ?? ''}` !== '' ? (
        <div class="filters">
          <Filter name="who" title="Who" options={people} />
          <Filter name="kind" title="Kind" options={kinds} />
        </div>
      ) : null}
      <Table
        label="ledger"
        rows={entries}
        columns={entries.some(({ signature }) => signature !== undefined) ? [...COLUMNS, SIGNATURE] : COLUMNS}
        rowKey={({ position }) => `${position}`}
        order="-position"
        empty="No decision was made in this time. The ledger keeps every decision, by people and by the loop."
      />
      {next === undefined ? null : (
        <button type="button" onClick={() => setQuery({ limit: `${Math.max(FIRST, entries.length) * 4}` })}>
          Show older entries
        </button>
      )}
    </Screen>
  );
}

function distinct(values: readonly (string | undefined)[]): readonly (readonly [string, string])[] {
  return [...new Set(values)]
    .filter((one) => one !== undefined)
    .sort()
    .map((one) => [one, one]);
}

const CHAIN = {
  intact: ['confirmed', 'Chain intact'],
  broken: ['failing', 'Chain broken'],
  unchecked: ['waits', 'Chain not checked'],
} as const;

const COLUMNS: readonly Column<LedgerRow>[] = [
  {
    key: 'sentence',
    title: 'What happened',
    width: 300,
    isFlexible: true,
    value: ({ sentence }) => sentence,
    cell: ({ sentence, fixId, patternId }) => {
      const text = <Text value={sentence} limit={300} />;
      if (fixId !== undefined) return <Link to={['trials', fixId]}>{text}</Link>;
      return patternId === undefined ? text : <Link to={['patterns', patternId]}>{text}</Link>;
    },
  },
  { key: 'at', title: 'When', kind: 'time', width: 110, value: ({ atMs }) => atMs },
  { key: 'by', title: 'Who', width: 110, value: ({ by }) => by },
  { key: 'kind', title: 'Kind', width: 130, value: ({ kind }) => kind.replaceAll('-', ' ') },
  { key: 'reason', title: 'Reason', width: 190, value: ({ reason }) => reason },
  { key: 'position', title: 'Position', kind: 'number', width: 100, value: ({ position }) => position },
];

/** Shown if a row is signed. */
const SIGNATURE: Column<LedgerRow> = {
  key: 'signature',
  title: 'Signature',
  width: 190,
  value: ({ signature }) => signature,
};
