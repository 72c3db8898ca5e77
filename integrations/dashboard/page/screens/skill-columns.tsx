import type { SkillVersionRow, SkillView } from '../../skill-views.js';
import { TONES } from '../lib/skill-text.js';
import { State } from '../parts/state.js';
import type { Column } from '../parts/table-layout.js';

type Test = SkillView['tests'][number];

/** Indentation of one level of the tree, and the deepest one that is drawn. */
const STEP_PX = 14;
const MAX_DEPTH = 12;

export const VERSION_COLUMNS: readonly Column<SkillVersionRow>[] = [
  {
    key: 'hash',
    title: 'Version',
    width: 260,
    value: ({ hash }) => hash,
    cell: ({ hash, version, depth }) => (
      <span class="tree" style={{ paddingLeft: `${Math.min(depth, MAX_DEPTH) * STEP_PX}px` }}>
        {depth > 0 ? <span aria-hidden="true">└ </span> : null}
        {version} <span class="dim">{hash}</span>
      </span>
    ),
  },
  { key: 'role', title: 'Role', width: 120, value: ({ role }) => role },
  {
    key: 'state',
    title: 'State',
    width: 140,
    value: ({ state }) => state,
    cell: ({ state }) => <State tone={TONES[state]} word={state} />,
  },
];

export const TEST_COLUMNS: readonly Column<Test>[] = [
  { key: 'input', title: 'Input', width: 360, value: ({ input }) => input },
  { key: 'output', title: 'Output', width: 300, isFlexible: true, value: ({ output }) => output },
  { key: 'hidden', title: 'Writer', width: 120, value: ({ hidden }) => (hidden ? 'hidden' : 'sees it') },
];
