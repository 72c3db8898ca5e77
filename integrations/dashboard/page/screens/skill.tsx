import type { SkillView } from '../../skill-views.js';
import { count, countOf, percent, percentRange } from '../lib/format.js';
import { usePage } from '../lib/page-context.js';
import { oneLine } from '../lib/recorded-text.js';
import { address } from '../lib/route.js';
import { successOf, TONES } from '../lib/skill-text.js';
import { useView } from '../lib/use-view.js';
import { Copyable } from '../parts/copyable.js';
import { Diff } from '../parts/diff.js';
import { Facts } from '../parts/facts.js';
import { Link } from '../parts/link.js';
import { Loaded } from '../parts/loaded.js';
import { LongText } from '../parts/long-text.js';
import { Screen } from '../parts/screen.js';
import { Section } from '../parts/section.js';
import { State, StatusOf } from '../parts/state.js';
import { Table } from '../parts/table.js';
import { Text } from '../parts/text.js';
import { When } from '../parts/when.js';
import { TEST_COLUMNS, VERSION_COLUMNS } from './skill-columns.js';

export function SkillScreen({ id }: { readonly id: string }) {
  const { version } = usePage().route.query;
  const kept = useView(address(['skills', id], { version }), 'skills', { keepsLast: true });
  return <Loaded<SkillView> kept={kept}>{(view) => <SkillPage view={view} />}</Loaded>;
}

function SkillPage({ view }: { readonly view: SkillView }) {
  const { row, whenNot, body, asks, tests, omitted, versions, compared, certificate } = view;
  const { name, state, reason, description, language, version, hash, lastMs, proof } = row;
  return (
    <Screen
      title={`Skill ${oneLine(name, 60)}`}
      question={
        <>
          Does skill <Text value={name} limit={80} /> help?
        </>
      }
      answer={skillSummary(view)}
    >
      <Facts
        facts={[
          ['State', <State key="s" tone={TONES[state]} word={state} />],
          ['Reason', reason === undefined ? undefined : <LongText key="r" value={reason} />],
          ['Proof', proof ? <Proof key="p" proof={proof} /> : 'not proven'],
          ['When to use', <LongText key="u" value={description} />],
          ['When not', whenNot === undefined ? undefined : <LongText key="n" value={whenNot} />],
          ['Code', language],
          ['Asks for', asks === undefined ? undefined : <LongText key="a" value={asks} />],
          ['Version', `${version}, ${hash}`],
          ['Last call', lastMs === undefined ? undefined : <When key="l" atMs={lastMs} />],
        ]}
      />
      {certificate ? <Certificate certificate={certificate} /> : null}
      <Section title="Versions" note="children below the version that they change">
        <Table
          label="versions"
          rows={versions}
          columns={VERSION_COLUMNS}
          rowKey={(one) => one.hash}
          open={(one) => address(['skills', name], { version: one.hash })}
        />
      </Section>
      {compared ? (
        <Section title={`Version ${compared.version}`} note={`beside ${compared.parent}`}>
          {compared.change.length === 0 ? (
            <p class="dim">Both have the same content.</p>
          ) : (
            <Diff change={compared.change} unified={undefined} />
          )}
        </Section>
      ) : null}
      <Section title="Tests" note="hidden ones are not shown to the model that writes">
        <Table
          label="tests"
          rows={tests}
          columns={TEST_COLUMNS}
          rowKey={(test) => `${tests.indexOf(test)}`}
          empty="It has no tests."
        />
        {omitted > 0 ? <p class="dim">{countOf(omitted, 'more test')} not shown here.</p> : null}
      </Section>
      <Section title="Instructions">
        <LongText value={body} />
      </Section>
    </Screen>
  );
}

function skillSummary({ row }: SkillView): string {
  const { calls, failures, proof } = row;
  const proven = proof?.status === 'confirmed' ? 'Yes, a trial has shown it.' : 'No trial has shown it.';
  if (calls === 0) return `${proven} Nothing has called it yet.`;
  const { value } = successOf(row);
  return `${proven} ${count(calls - failures)} of ${countOf(calls, 'call')} succeeded: ${percent(value)}, interval ${percentRange(successOf(row))}.`;
}

function Proof({ proof: { id, status } }: { readonly proof: NonNullable<SkillView['row']['proof']> }) {
  return (
    <Link to={['trials', id]}>
      <StatusOf status={status} />
    </Link>
  );
}

function Certificate({
  certificate: { problems, facts },
}: {
  readonly certificate: NonNullable<SkillView['certificate']>;
}) {
  if (!facts)
    return (
      <Section title="Certificate" note="it does not hold">
        <ul class="list">
          {problems.map((problem) => (
            <li key={problem}>
              <Text value={problem} limit={400} />
            </li>
          ))}
        </ul>
      </Section>
    );
  const arm = ({ failures, tasks }: typeof facts.fix) => `${count(failures)} of ${countOf(tasks, 'task')} failed`;
  return (
    <Section title="Certificate" note={<Copyable command="npx rsi skill check" />}>
      <Facts
        isShort
        facts={[
          ['Task', <Text key="t" value={facts.task} limit={80} />],
          ['With it', arm(facts.fix)],
          ['Without', arm(facts.control)],
          ['Evidence', `${facts.eValue.toFixed(1)} of ${facts.needed.toFixed(1)} needed`],
          ['Since', <When key="w" atMs={facts.atMs} />],
        ]}
      />
    </Section>
  );
}
