import type { SkillRow, SkillsView } from '../../skill-views.js';
import { count, countOf, percentRange } from '../lib/format.js';
import { address } from '../lib/route.js';
import { successOf, TONES } from '../lib/skill-text.js';
import { useView } from '../lib/use-view.js';
import { Empty } from '../parts/empty.js';
import { Interval } from '../parts/interval.js';
import { Loaded } from '../parts/loaded.js';
import { Screen } from '../parts/screen.js';
import { Section } from '../parts/section.js';
import { State, StatusOf } from '../parts/state.js';
import { Table } from '../parts/table.js';
import type { Column } from '../parts/table-layout.js';
import { Text } from '../parts/text.js';

export function SkillsScreen() {
  return <Loaded<SkillsView> kept={useView('skills', 'skills')}>{(view) => <Skills view={view} />}</Loaded>;
}

function Skills({ view }: { readonly view: SkillsView }) {
  const { skills, rejected, folder } = view;
  return (
    <Screen question="Which skills help?" title="Skills" answer={skillsSummary(view)}>
      {skills.length + rejected.length === 0 ? <Nothing folder={folder} /> : null}
      {skills.length === 0 ? null : (
        <Table
          label="skills"
          rows={skills}
          columns={SKILLS}
          rowKey={({ name }) => name}
          open={({ name }) => address(['skills', name])}
        />
      )}
      {rejected.length === 0 ? null : (
        <Section title="Not read" note="agents are not offered these">
          <ul class="list">
            {rejected.map(({ name, problem }) => (
              <li key={name}>
                <Text value={problem} limit={400} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </Screen>
  );
}

function Nothing({ folder }: { readonly folder: string | undefined }) {
  return folder === undefined ? (
    <Empty>This dashboard has no folder of skills. Its owner names one with the option "skills".</Empty>
  ) : (
    <Empty command='npx rsi skill learn "total the amounts of a CSV" --examples totals.json'>
      There is no skill in <Text value={folder} limit={120} />. A model writes one from a directive with examples.
    </Empty>
  );
}

function skillsSummary({ skills }: SkillsView): string {
  if (skills.length === 0) return 'No skill was learned yet.';
  const proven = skills.filter(({ proof }) => proof?.status === 'confirmed').length;
  const offered = skills.filter(({ state }) => state === 'working' || state === 'instructions').length;
  const trials = skills.filter(({ proof }) => proof?.status === 'trial').length;
  return `${countOf(skills.length, 'skill')}: ${count(offered)} active, ${count(trials)} on trial, ${count(proven)} proven.`;
}

const NONE = <span class="dim">–</span>;

const SKILLS: readonly Column<SkillRow>[] = [
  { key: 'name', title: 'Skill', width: 170, value: ({ name }) => name },
  {
    key: 'state',
    title: 'State',
    width: 120,
    value: ({ state }) => state,
    cell: ({ state }) => <State tone={TONES[state]} word={state} />,
  },
  {
    key: 'proof',
    title: 'Proof',
    width: 130,
    value: ({ proof }) => proof?.status,
    cell: ({ proof }) => (proof ? <StatusOf status={proof.status} /> : <span class="dim">not proven</span>),
  },
  { key: 'calls', title: 'Calls', kind: 'number', width: 80, value: ({ calls }) => calls },
  {
    key: 'success',
    title: 'Success, 95 % interval',
    kind: 'drawing',
    width: 220,
    value: (row) => (row.calls === 0 ? undefined : successOf(row).value),
    cell: (row) =>
      row.calls === 0 ? (
        NONE
      ) : (
        <>
          <Interval {...successOf(row)} max={1} arm="fix" /> {percentRange(successOf(row))}
        </>
      ),
  },
  { key: 'last', title: 'Last call', kind: 'time', width: 98, isOptional: true, value: ({ lastMs }) => lastMs },
  {
    key: 'parent',
    title: 'Version',
    width: 150,
    value: ({ version, parent }) => `${version}${parent === undefined ? '' : ` from ${parent}`}`,
  },
  { key: 'use', title: 'When to use', width: 130, isFlexible: true, value: ({ description }) => description },
];
