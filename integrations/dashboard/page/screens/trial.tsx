import type { Scope, TrialFigures } from 'rsi-loop';
import type { FixView } from '../../fix-views.js';
import { DecisionBar } from '../decide/decision-bar.js';
import { count, digits, percent } from '../lib/format.js';
import { useNow } from '../lib/page-context.js';
import { address } from '../lib/route.js';
import { armsText, capital, evidenceText, issueWord, kindGuardText, resultText, whereText } from '../lib/sentences.js';
import { useView } from '../lib/use-view.js';
import { Arms } from '../parts/arms.js';
import { Diff } from '../parts/diff.js';
import { Evidence } from '../parts/evidence.js';
import { Facts } from '../parts/facts.js';
import { Link } from '../parts/link.js';
import { Loaded } from '../parts/loaded.js';
import { LongText } from '../parts/long-text.js';
import { Screen } from '../parts/screen.js';
import { Section } from '../parts/section.js';
import { State, StatusOf } from '../parts/state.js';
import { Text } from '../parts/text.js';
import { When } from '../parts/when.js';
import { FixHistory } from './fix-history.js';
import { TrialCharts } from './trial-charts.js';
import { TrialGuards } from './trial-guards.js';

export function TrialScreen({ id }: { readonly id: string }) {
  const kept = useView(address(['fixes', id]), 'trials');
  return <Loaded<FixView> kept={kept}>{(view) => <Trial view={view} />}</Loaded>;
}

function Trial({ view }: { readonly view: FixView }) {
  const { row, explanation, change } = view;
  const figures = figuresOf(view);
  return (
    <Screen
      title={row.title}
      question={
        <>
          Does it help: <Text value={row.title} limit={160} />?
        </>
      }
      answer={`${resultText(view, figures, useNow())}.`}
    >
      <div class="row">
        <StatusOf status={row.status} />
        <DecisionBar fix={row} />
      </div>
      <div class="two-columns">
        <div>
          {figures ? <Result figures={figures} trials={explanation.overAllTrials} /> : null}
          <TrialFacts view={view} figures={figures} />
        </div>
        {figures ? <TrialGuards figures={figures} /> : null}
      </div>
      {figures ? <Kinds figures={figures} /> : null}
      <TrialCharts view={view} isOfSome={figures?.inScope !== undefined} />
      {figures?.afterwards ? (
        <Section title="Does it still help?" note="tasks after the verdict, an unbiased estimate">
          <Arms figures={figures.afterwards} isSaid />
          <p>{capital(armsText(figures.afterwards))}.</p>
        </Section>
      ) : null}
      <Section title="What it changes">
        <Diff change={change} unified={explanation.diff} />
      </Section>
      <FixHistory history={explanation.history} signatures={view.signatures} />
    </Screen>
  );
}

/** Figures at the verdict, which do not move any more, or the current ones. */
function figuresOf({ explanation: { fix, figures } }: FixView): TrialFigures | undefined {
  const { verdict } = fix;
  const trialEnd = endOf(fix);
  if (!verdict || !('figures' in verdict)) return trialEnd ? trialEnd.figures : figures;
  const { afterwards } = figures ?? {};
  return { ...verdict.figures, ...(afterwards && { afterwards }) };
}

/** Returns the end of the newest trial of a fix, if it ended without a verdict. */
function endOf({ verdict, status, trialEnd }: FixView['explanation']['fix']) {
  return verdict === undefined && status !== 'trial' ? trialEnd : undefined;
}

interface TrialFactsProps {
  readonly view: FixView;
  readonly figures: TrialFigures | undefined;
}

function TrialFacts({ view: { row, explanation }, figures }: TrialFactsProps) {
  const { fix } = explanation;
  const end = endOf(fix);
  return (
    <Facts
      facts={[
        [
          'For',
          <Link key="p" to={['patterns', row.patternId]}>
            <Text value={row.task} limit={60} /> {issueWord(row.issue)}
          </Link>,
        ],
        ['Why', <LongText key="w" value={row.reason} />],
        ['Effect', figures ? effectText(figures) : undefined],
        ['Began', fix.trial ? <When key="b" atMs={fix.trial.openedMs} /> : undefined],
        ['Ended', end ? <When key="e" atMs={end.atMs} /> : undefined],
        ['Compared', fix.trial ? `each ${fix.trial.unit} gets one arm at random` : undefined],
      ]}
    />
  );
}

function effectText({ effect: { value, low, high }, eHelp, needed }: TrialFigures): string {
  const ratio = `${digits(value)} times the failures of control (${digits(low)} to ${digits(high)})`;
  if (high < 1 || eHelp < needed) return ratio;
  return `${ratio}. The interval reaches 1 although the fix is proven: ruling out ratios near 1 takes more tasks`;
}

interface ResultProps {
  readonly figures: TrialFigures;
  readonly trials: FixView['explanation']['overAllTrials'];
}

/** Intervals of the shares that the answer has, the tasks that the fix could act on, and the evidence with its goal. */
function Result({ figures, trials }: ResultProps) {
  const { inScope, fix, control, eHelp, needed } = figures;
  return (
    <>
      <Arms figures={inScope ?? figures} isSaid />
      {inScope ? (
        <p>
          It could act on {count(fix.tasks + control.tasks)} of them: {armsText(figures)}.
        </p>
      ) : null}
      <p class="goal-line">
        <Evidence eHelp={eHelp} needed={needed} /> {capital(evidenceText(figures))}
        {trials ? ` in trial ${trials.trial} of ${trials.opened}` : ''}: a useless fix reaches that in at most{' '}
        {percent(1 / needed)} of such trials.
      </p>
    </>
  );
}

/** Figures for each kind of task, where the fix may work better or worse. */
function Kinds({ figures: { kinds = [] } }: { readonly figures: TrialFigures }) {
  if (kinds.length === 0) return null;
  return (
    <Section title="Does it help everywhere?" note="a kind that it harms is left out of the fix">
      <ul class="list">
        {kinds.map(({ scope, guard, ...arms }) => (
          <li key={JSON.stringify(scope)}>
            <strong>
              <Text value={whereText([kindOf(scope)])} limit={120} />
            </strong>
            : {armsText(arms)}{' '}
            {guard === undefined ? null : (
              <>
                <State tone={guard.isExcluded ? 'failing' : 'quiet'} word={kindGuardText(guard)} />{' '}
                <Evidence eHelp={guard.eHarm} needed={guard.needed} />
              </>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Returns the dimensions of a kind of task. */
function kindOf({ except: _, ...dimensions }: Scope): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(dimensions).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
