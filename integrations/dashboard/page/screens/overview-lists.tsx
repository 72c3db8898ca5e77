import type { ComponentChild } from 'preact';
import type { FixRow, TrialRow } from '../../fix-views.js';
import type { OverviewView, WorstRow } from '../../views.js';
import { countOf, rateOf } from '../lib/format.js';
import { useNow, usePage } from '../lib/page-context.js';
import { issueWord, trialText } from '../lib/sentences.js';
import { Evidence } from '../parts/evidence.js';
import { Link, type LinkProps } from '../parts/link.js';
import { Section } from '../parts/section.js';
import { Sparkline } from '../parts/sparkline.js';
import { StatusOf, TrendOf } from '../parts/state.js';
import { Text } from '../parts/text.js';
import { VersionsWait } from '../parts/versions-wait.js';

/** Trials that are listed; the screen of trials has all of them. */
const SHOWN_TRIALS = 2;
const SHOWN_VERDICTS = 3;

/** Lists of the worst patterns, of decisions to make, and of trials. */
export function OverviewLists({ view }: { readonly view: OverviewView }) {
  const { worst, verdicts, waiting, trials } = view;
  const { versionsWaiting = 0 } = usePage().state.status ?? {};
  const all = trials.length > SHOWN_TRIALS ? `all ${trials.length} trials` : 'all trials';
  return (
    <div class="two-columns">
      <div>
        <Section title="What hurts most" note={<Link to={['patterns']}>all {countOf(view.patterns, 'pattern')}</Link>}>
          <List
            none="Nothing fails in this window."
            rows={worst}
            draw={(row) => <WorstLine key={row.id} row={row} />}
          />
        </Section>
        <Section title="Newest verdicts">
          <List
            none="No trial has ended yet."
            rows={verdicts.slice(0, SHOWN_VERDICTS)}
            draw={(row) => <TrialLine key={row.fix.id} row={row} />}
          />
        </Section>
      </div>
      <div>
        <Section title="What waits for you">
          <VersionsWait />
          {waiting.length === 0 && versionsWaiting > 0 ? null : (
            <List none="Nothing waits for you." rows={waiting} draw={(row) => <WaitingRow key={row.id} row={row} />} />
          )}
        </Section>
        <Section title="What is being tried" note={<Link to={['trials']}>{all}</Link>}>
          <List
            none="No trial runs. One starts when you approve a proposal."
            rows={trials.slice(0, SHOWN_TRIALS)}
            draw={(row) => <TrialLine key={row.fix.id} row={row} />}
          />
        </Section>
      </div>
    </div>
  );
}

interface ListProps<Row> {
  readonly none: string;
  readonly rows: readonly Row[];
  readonly draw: (row: Row) => ComponentChild;
}

function List<Row>({ none, rows, draw }: ListProps<Row>) {
  return rows.length === 0 ? <p class="dim">{none}</p> : <ul class="list">{rows.map(draw)}</ul>;
}

function WorstLine({ row }: { readonly row: WorstRow }) {
  return (
    <li class="worst">
      <Link {...placeOf(row)}>
        <strong>
          <Text value={row.task} limit={60} />
        </strong>{' '}
        {issueWord(row.issue)}
      </Link>
      <span class="number">{rateOf(row.rate)}</span>
      {row.wordings > 1 ? <span class="dim">{countOf(row.wordings, 'wording')}</span> : <TrendOf trend={row.trend} />}
      <Sparkline counts={row.trendLine} label={`${countOf(row.count, 'occurrence')}, ${row.trend}`} />
      <span class="dim clip">
        <Text value={row.template} limit={200} />
      </span>
    </li>
  );
}

/** A failure in several wordings opens the list of them. */
function placeOf({ id, task, issue, wordings }: WorstRow): Pick<LinkProps, 'to' | 'query'> {
  return wordings > 1 ? { to: ['patterns'], query: { task, issue } } : { to: ['patterns', id] };
}

function WaitingRow({ row }: { readonly row: FixRow }) {
  return (
    <li>
      <StatusOf status={row.status} />{' '}
      <Link to={['review']} query={{ fix: row.id }}>
        <Text value={row.title} limit={100} />
      </Link>
      <div class="dim">
        for <Text value={row.task} limit={60} />, {issueWord(row.issue)}
      </div>
    </li>
  );
}

function TrialLine({ row }: { readonly row: TrialRow }) {
  const nowMs = useNow();
  return (
    <li>
      <StatusOf status={row.fix.status} />{' '}
      <Link to={['trials', row.fix.id]}>
        <Text value={row.fix.title} limit={100} />
      </Link>{' '}
      {trialText(row, nowMs)}
      {row.figures && !row.verdict ? (
        <div>
          <Evidence eHelp={row.figures.eHelp} needed={row.figures.needed} />
        </div>
      ) : null}
    </li>
  );
}
