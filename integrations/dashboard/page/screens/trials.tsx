import type { TrialRow, TrialsView } from '../../fix-views.js';
import { count, countOf, digits, percent } from '../lib/format.js';
import { useNow, usePage } from '../lib/page-context.js';
import { oneLine } from '../lib/recorded-text.js';
import { address } from '../lib/route.js';
import { capital, leftText, progressText } from '../lib/sentences.js';
import { usePeriodView } from '../lib/use-period-view.js';
import { Arms } from '../parts/arms.js';
import { Empty } from '../parts/empty.js';
import { Evidence } from '../parts/evidence.js';
import { Link } from '../parts/link.js';
import { Loaded } from '../parts/loaded.js';
import { ALL_TIMES } from '../parts/period-choice.js';
import { Screen } from '../parts/screen.js';
import { Section } from '../parts/section.js';
import { StatusOf } from '../parts/state.js';
import { Table } from '../parts/table.js';
import { Text } from '../parts/text.js';
import { TRIAL_COLUMNS } from './trial-columns.js';

export function TrialsScreen() {
  const kept = usePeriodView(['trials'], 'trials');
  return <Loaded<TrialsView> kept={kept}>{(view) => <Trials view={view} />}</Loaded>;
}

function Trials({ view }: { readonly view: TrialsView }) {
  const { trials, alpha } = view;
  const { range } = usePage().route.query;
  const running = trials.filter(({ verdict, ended }) => !verdict && !ended);
  return (
    <Screen
      question="Which fixes help?"
      title="Trials"
      period={ALL_TIMES}
      answer={trialsSummary(trials, range !== undefined)}
    >
      {trials.length === 0 ? (
        <Empty>
          No trial {range === undefined ? 'yet' : 'in this time'}. A trial starts when a proposal is approved.{' '}
          <Link to={['review']}>See what is proposed</Link>
        </Empty>
      ) : (
        <>
          {running.length === 0 ? null : (
            <Section title="Running now" note="one beside the other">
              <div class="trial-cards">
                {running.slice(0, 6).map((row) => (
                  <RunningTrial key={row.fix.id} row={row} />
                ))}
              </div>
            </Section>
          )}
          <Section title="All trials">
            <Table
              label="trials"
              rows={trials}
              columns={TRIAL_COLUMNS}
              rowKey={({ fix }) => fix.id}
              open={({ fix }) => address(['trials', fix.id])}
            />
          </Section>
        </>
      )}
      <Section title="How much may be wrong?">
        <p>
          On average at most {percent(alpha.budget)} of the fixes that this loop confirms are useless. So far it opened{' '}
          {countOf(alpha.opened, 'trial')} and confirmed {count(alpha.confirmed)}. The next trial is tested at a level
          of {percent(alpha.next)}
          {alpha.next > 0 ? <>: it needs evidence of {digits(1 / alpha.next)}</> : null}.
        </p>
      </Section>
    </Screen>
  );
}

function trialsSummary(trials: readonly TrialRow[], isChosen: boolean): string {
  if (trials.length === 0) return `No fix was tried ${isChosen ? 'in this time' : 'yet'}.`;
  const of = (kind: string) => trials.filter(({ verdict }) => verdict?.kind === kind).length;
  const running = trials.filter(({ verdict, ended }) => !verdict && !ended).length;
  const ended = trials.filter((row) => row.ended !== undefined).length;
  return `${count(of('confirmed'))} of ${countOf(trials.length, 'fix', 'fixes')} helped, ${count(of('failed'))} did not, ${count(of('inconclusive'))} stayed undecided, ${ended === 0 ? '' : `${count(ended)} ended early, `}${count(running)} on trial now.`;
}

function stateText({ figures, fix, deadlineMs }: TrialRow, nowMs: number): string {
  if (!figures) return fix.wait === undefined ? 'no figures yet' : oneLine(fix.wait.sentence, 200);
  return `${progressText(figures)}${leftText(deadlineMs, nowMs)}`;
}

function RunningTrial({ row }: { readonly row: TrialRow }) {
  const nowMs = useNow();
  return (
    <div class="trial-card">
      <StatusOf status={row.fix.status} />{' '}
      <Link to={['trials', row.fix.id]}>
        <Text value={row.fix.title} limit={160} />
      </Link>
      {row.figures ? <Arms figures={row.figures.inScope ?? row.figures} /> : null}
      {row.figures ? <Evidence eHelp={row.figures.eHelp} needed={row.figures.needed} /> : null}
      <p class="dim">{capital(stateText(row, nowMs))}.</p>
    </div>
  );
}
