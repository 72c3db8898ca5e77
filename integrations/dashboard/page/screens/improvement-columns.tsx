import type { RoundRow, VersionRow } from '../../bench-views.js';
import { gainText, points, RESULTS } from '../lib/bench-text.js';
import { percent } from '../lib/format.js';
import { State } from '../parts/state.js';
import type { Column } from '../parts/table-layout.js';
import { Text } from '../parts/text.js';

const NONE = <span class="dim">–</span>;

export const ROUND_COLUMNS: readonly Column<RoundRow>[] = [
  { key: 'round', title: 'Round', width: 110, value: ({ round }) => round },
  {
    key: 'kept',
    title: 'Draft',
    width: 190,
    value: ({ isKept }) => (isKept ? 'kept' : 'not kept'),
    cell: ({ isKept, result }) =>
      result ? (
        <State tone={RESULTS[result.kind][0]} word={isKept ? 'kept' : RESULTS[result.kind][1]} />
      ) : (
        <span class="dim">no candidate helped</span>
      ),
  },
  {
    key: 'expected',
    title: 'Expected',
    kind: 'number',
    width: 100,
    value: ({ expected }) => expected,
    cell: ({ expected }) => (expected === undefined ? NONE : points(expected)),
  },
  {
    key: 'measured',
    title: 'Measured',
    kind: 'number',
    width: 200,
    value: ({ result }) => result?.gain.value,
    cell: ({ result }) => (result ? gainText(result) : NONE),
  },
  {
    key: 'why',
    title: 'Hypotheses',
    width: 220,
    isFlexible: true,
    value: ({ hypotheses }) => hypotheses.map(({ hypothesis }) => hypothesis).join(' '),
  },
];

/** Indentation of one level of the tree, and the deepest one that is drawn. */
const STEP_PX = 14;
const MAX_DEPTH = 12;

export const VERSION_COLUMNS: readonly Column<VersionRow>[] = [
  {
    key: 'name',
    title: 'Version',
    width: 240,
    value: ({ name }) => name,
    cell: ({ name, depth, isKept, decision }) => (
      <span class="tree" style={{ paddingLeft: `${Math.min(depth, MAX_DEPTH) * STEP_PX}px` }}>
        {depth > 0 ? <span aria-hidden="true">└ </span> : null}
        <Text value={name} limit={80} /> {isKept ? <State tone="confirmed" word={decision ?? 'kept'} /> : null}
      </span>
    ),
  },
  { key: 'round', title: 'Round', kind: 'number', width: 80, value: ({ round }) => round },
  {
    key: 'score',
    title: 'Open half',
    kind: 'number',
    width: 120,
    value: ({ score }) => score,
    cell: ({ score, runs }) => <span title={`${runs} runs`}>{percent(score)}</span>,
  },
  {
    key: 'expected',
    title: 'Expected',
    kind: 'number',
    width: 100,
    isOptional: true,
    value: ({ expectedGain }) => expectedGain,
    cell: ({ expectedGain }) => (expectedGain === undefined ? NONE : points(expectedGain)),
  },
  {
    key: 'gain',
    title: 'Over parent',
    kind: 'number',
    width: 120,
    value: ({ score, parentScore }) => (parentScore === undefined ? undefined : score - parentScore),
    cell: ({ score, parentScore }) => (parentScore === undefined ? NONE : points(score - parentScore)),
  },
  {
    key: 'proof',
    title: 'Held-out half',
    kind: 'number',
    width: 200,
    value: ({ result }) => result?.gain.value,
    cell: ({ result }) => (result ? gainText(result) : <span class="dim">not compared</span>),
  },
  { key: 'why', title: 'Hypothesis', width: 220, isFlexible: true, value: ({ hypothesis }) => hypothesis },
];
