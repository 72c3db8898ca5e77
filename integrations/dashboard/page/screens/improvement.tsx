import type { ImprovementView } from '../../bench-views.js';
import { DecisionPlace } from '../decide/decision-bar.js';
import { VERBS } from '../decide/verbs.js';
import { endText, roundsText } from '../lib/bench-text.js';
import { amount, count, countOf, dollars, duration, percent } from '../lib/format.js';
import { usePage } from '../lib/page-context.js';
import { oneLine } from '../lib/recorded-text.js';
import { address } from '../lib/route.js';
import { useView } from '../lib/use-view.js';
import { Copyable } from '../parts/copyable.js';
import { Facts } from '../parts/facts.js';
import { Loaded } from '../parts/loaded.js';
import { Screen } from '../parts/screen.js';
import { Section } from '../parts/section.js';
import { Table } from '../parts/table.js';
import { Text } from '../parts/text.js';
import { When } from '../parts/when.js';
import { ROUND_COLUMNS, VERSION_COLUMNS } from './improvement-columns.js';
import { VersionDetail } from './version-detail.js';

export function ImprovementScreen({ id }: { readonly id: string }) {
  const { version } = usePage().route.query;
  const kept = useView(address(['improvements', id], { version }), 'benchmarks', { keepsLast: true });
  return <Loaded<ImprovementView> kept={kept}>{(view) => <ImprovementPage view={view} />}</Loaded>;
}

function ImprovementPage({ view: { row, rounds, archive, version } }: { readonly view: ImprovementView }) {
  const { spent, waiting } = row;
  const { ask } = usePage();
  return (
    <Screen
      title={`Improvement of ${oneLine(row.suite, 60)}`}
      question={
        <>
          Did <Text value={row.suite} limit={80} /> get better?
        </>
      }
      answer={<Answer view={{ row, rounds, archive }} />}
    >
      {waiting === undefined ? null : waiting.changesFiles ? (
        <p class="row note">
          The best version changes files and waits for a person:{' '}
          <Copyable command={`npx rsi improve approve ${waiting.version}`} />
        </p>
      ) : (
        <DecisionPlace>
          {(['approve-version', 'reject-version'] as const).map((verb, at) => (
            <button
              key={verb}
              type="button"
              class={at === 0 ? 'primary' : ''}
              onClick={() => ask({ verb, version: { id: waiting.version, name: `${row.suite}: ${waiting.version}` } })}
            >
              {VERBS[verb].button}
            </button>
          ))}
        </DecisionPlace>
      )}
      <Facts
        isShort
        facts={[
          ['Began', <When key="b" atMs={row.startedMs} />],
          ['Last step', <When key="l" atMs={row.atMs} />],
          ['Ended', endText(row)],
          ['Runs', count(spent.runs)],
          ['Cost', spent.usd > 0 ? dollars(spent.usd) : undefined],
          ['Tokens', spent.tokens > 0 ? amount(spent.tokens) : undefined],
          ['Time', duration(spent.minutes * 60_000)],
        ]}
      />
      <Section title="Rounds" note="expected gain beside the measured one, in points">
        <Table
          name="rounds"
          label="rounds"
          rows={rounds}
          columns={ROUND_COLUMNS}
          rowKey={({ round }) => `${round}`}
          open={(one) => address(['improvements', row.id], { version: one.version })}
          empty="No round has ended yet."
        />
      </Section>
      <Section title="Archive" note="every version that was scored, each below the one that it changes">
        <Table
          label="versions"
          rows={archive}
          columns={VERSION_COLUMNS}
          rowKey={({ id }) => id}
          open={({ id }) => address(['improvements', row.id], { version: id })}
          empty="No version was scored yet."
        />
      </Section>
      {version ? <VersionDetail version={version} /> : null}
    </Screen>
  );
}

function Answer({ view: { row, rounds } }: { readonly view: Pick<ImprovementView, 'row' | 'rounds' | 'archive'> }) {
  if (rounds.length === 0) return <>No round has ended yet.</>;
  const best = rounds.findLast(({ isKept }) => isKept)?.result;
  const { scores } = row;
  return (
    <>
      {roundsText(row)}, {countOf(row.versions, 'version')} tried.{' '}
      {best ? <Text value={best.sentence} limit={400} /> : 'Nothing was proven better.'}
      {best && scores
        ? ` Open half: ${percent(scores.before)} as it is, ${percent(scores.best)} with the best version.`
        : ''}
    </>
  );
}
