import { describeComparison } from 'rsi-loop/bench';
import {
  type Improvement,
  type Readiness,
  type ReadinessCondition,
  type Version,
  type VersionTree,
  versionTree,
  waitingVersion,
} from 'rsi-loop/improve';
import type { FoundVersion, KeptImprovement } from '../../reports/kept-improvements.js';
import { counted, moment, percentOf, whole } from '../../reports/words/numbers.js';
import type { Look } from '../terminal/look.js';
import type { Report } from '../terminal/output.js';
import { labelled, paragraph } from '../terminal/page.js';
import { plain, plainJson } from '../terminal/terminal-text.js';

/** Shows the state of the improvement that changed last, and whether improvement may run unattended. */
export function statusReport(kept: KeptImprovement, ready: Readiness, isRunning: boolean, look: Look): Report {
  const { improvement, suite, id } = kept;
  const waiting = waitingVersion(improvement);
  const lines = [
    ...paragraph(`${plain(suite)}: ${roundsOf(improvement)}`, look),
    ...labelled('state', isRunning ? 'running' : endOf(improvement), look),
    ...progressLines(kept, look),
    ...(waiting ? labelled('waits', `for a person: ${look.next(`improve approve ${waiting.id}`)}`, look) : []),
    '',
    ...paragraph(ready.isReady ? 'It may run unattended:' : 'It may not run unattended yet:', look),
    ...ready.conditions.flatMap((one) =>
      labelled(one.isMet ? 'met' : 'not met', conditionOf(one), look, { indent: 2 }),
    ),
    '',
  ];
  const { rounds, spent, ended } = improvement;
  const document = {
    format: 'rsi-improve-status/1',
    id,
    suite,
    isRunning,
    ended,
    rounds: rounds.length,
    kept: rounds.filter(({ isKept, shortens }) => isKept && !shortens).length,
    versions: improvement.archive.length,
    spent,
    best: improvement.best,
    waiting: waiting?.id,
    readiness: ready,
  };
  return { document, text: lines.join('\n') };
}

/** Shows how an improvement went. */
export function resultReport(kept: KeptImprovement, look: Look): Report {
  const { improvement, suite, id } = kept;
  const waiting = waitingVersion(improvement);
  const lines = [
    ...paragraph(`${plain(suite)}: ${roundsOf(improvement)}, ${endOf(improvement)}`, look),
    ...progressLines(kept, look),
    ...(waiting ? labelled('next', look.next(`improve show ${waiting.id}`), look) : []),
    '',
  ];
  const { best, rounds, spent, ended } = improvement;
  const document = { format: 'rsi-improve/1', id, suite, ended, best, rounds, spent, waiting: waiting?.id };
  return { document, text: lines.join('\n') };
}

function progressLines({ improvement, steps }: KeptImprovement, look: Look): readonly string[] {
  const { spent, rounds } = improvement;
  const last = rounds.findLast(({ comparison }) => comparison !== undefined);
  const proof = rounds.findLast(({ isKept }) => isKept)?.comparison;
  const problem = steps.findLast((step) => step.kind === 'planned');
  const failed = problem?.kind === 'planned' ? problem.problem : undefined;
  const usd = spent.usd > 0 ? `, $${spent.usd.toFixed(2)}` : '';
  const tokens = spent.tokens > 0 ? `, ${whole(spent.tokens)} tokens` : '';
  return [
    ...(proof ? labelled('proof', plain(describeComparison(proof)), look) : []),
    ...(last?.comparison && !last.isKept ? labelled('last', plain(describeComparison(last.comparison)), look) : []),
    ...(failed === undefined ? [] : labelled('problem', `the proposer failed: ${plain(failed)}`, look)),
    ...labelled('spent', `${counted(spent.runs, 'run')}${usd}${tokens}, ${whole(spent.minutes)} min`, look),
  ];
}

export function roundsOf({ rounds, archive }: Pick<Improvement, 'rounds' | 'archive'>): string {
  const searches = rounds.filter(({ shortens }) => !shortens);
  const kept = searches.filter(({ isKept }) => isKept).length;
  return `${whole(kept)} of ${counted(searches.length, 'round')} kept, ${counted(archive.length, 'version')}`;
}

const ENDS: Readonly<Record<string, string>> = {
  rounds: 'all rounds are done',
  'no-gain': 'ended after rounds without a gain',
  'no-proposals': 'ended because nothing was proposed',
  target: 'the target is reached',
  stopped: 'stopped; the same command continues it',
  'all-failed': 'ended because every run failed; repair the agent, and the same command continues it',
};

function endOf({ ended }: Improvement): string {
  if (ended === undefined) return 'interrupted; the same command continues it';
  return ENDS[ended] ?? `the budget is used up (${ended.slice('max-'.length)})`;
}

/** Returns `4 of 10 rounds without a crash`. */
export function conditionOf({ name, value, needed }: ReadinessCondition): string {
  switch (name) {
    case 'rounds-without-crash':
      return `${whole(value)} of ${whole(needed)} rounds without a crash`;
    case 'accepted':
      return `${whole(value)} of ${whole(needed)} drafts accepted`;
    case 'no-regression':
      return value === 0 ? 'no regression in the last day' : `${counted(value, 'regression')} in the last day`;
    default:
      return name satisfies never;
  }
}

/** Deepest level of the tree that is indented. */
const MAX_DEPTH = 16;

/** Shows every version below the one that it changes. */
export function archiveReport({ improvement, suite, id }: KeptImprovement, look: Look): Report {
  const { archive } = improvement;
  const scores = new Map(archive.map((version) => [version.id, version.score]));
  const lines = (trees: readonly VersionTree[], depth: number): readonly string[] =>
    trees.flatMap(({ version, children }) => [
      ...versionLines(version, scores.get(version.parents[0] ?? ''), depth, look),
      ...lines(children, depth + 1),
    ]);
  const all = lines(versionTree(archive), 0);
  const text = all.length === 0 ? 'no version was scored yet\n' : `${all.join('\n')}\n`;
  return { document: { format: 'rsi-improve-archive/1', id, suite, archive }, text };
}

function versionLines(version: Version, parentScore: number | undefined, depth: number, look: Look): readonly string[] {
  const { id, variant, score, isKept, comparison, decision, parents } = version;
  const gain = parentScore === undefined ? '' : ` (${points(score - parentScore)})`;
  const proof = comparison ? `, ${points(comparison.gain.value)} proven` : '';
  const state = decision ? `, ${decision.kind}` : isKept ? ', kept' : '';
  const name = plain(variant.name ?? (parents.length === 0 ? 'as it is' : 'candidate'));
  const indent = 2 * Math.min(depth, MAX_DEPTH);
  const line = `${id}  ${name}  ${percentOf(score)} %${gain}${isKept ? proof : ''}${state}`;
  return paragraph(line, look, indent, isKept ? 'bold' : undefined);
}

/** Shows a version: its hypotheses, its figures, its texts and settings. */
export function versionReport({ version, of }: FoundVersion, look: Look): Report {
  const { id, variant, hypotheses, score, runs, comparison, decision, parents } = version;
  const forecast = of.improvement.rounds.findLast((round) => round.version === id)?.forecast;
  const json = (value: unknown) => (typeof value === 'string' ? plain(value) : plain(plainJson(value, { indent: 0 })));
  const part = (what: string, named: Readonly<Record<string, unknown>> = {}) =>
    Object.entries(named).flatMap(([name, value]) => [
      ...paragraph(`${what} ${plain(name)}`, look, 0, 'dim'),
      ...String(value === null ? '(removed)' : typeof value === 'string' ? value : json(value))
        .split('\n')
        .flatMap((line) => paragraph(plain(line), look, 2)),
    ]);
  const lines = [
    ...paragraph(`${id}  ${plain(variant.name ?? '')}`.trimEnd(), look),
    ...labelled('of', `${plain(of.suite)}${parents.length > 0 ? `, changes ${parents.join(', ')}` : ''}`, look),
    ...hypotheses.flatMap(({ hypothesis, expectedGain }) =>
      labelled(
        'why',
        `${plain(hypothesis)}${expectedGain === undefined ? '' : ` (expected ${points(expectedGain)})`}`,
        look,
      ),
    ),
    ...labelled('score', `${percentOf(score)} % in ${counted(runs, 'run')} of the open half`, look),
    ...labelled(
      'proof',
      comparison ? plain(describeComparison(comparison)) : 'not compared on the held-out half',
      look,
    ),
    ...(forecast?.expected === undefined
      ? []
      : labelled(
          'gain',
          `expected ${points(forecast.expected)}, measured ${points(forecast.measured.value)} points`,
          look,
        )),
    ...(decision ? labelled('decision', decisionOf(decision), look) : []),
    '',
    ...part('text', variant.prompts),
    ...part('setting', variant.policy),
    ...part('file', variant.code),
    '',
  ];
  const document = { format: 'rsi-improve-version/1', improvement: of.id, suite: of.suite, version, forecast };
  return { document, text: lines.join('\n') };
}

function decisionOf({ kind, by, atMs, reason }: NonNullable<Version['decision']>): string {
  return `${kind} by ${plain(by)} on ${moment(atMs)}${reason === undefined ? '' : `: ${plain(reason)}`}`;
}

function points(value: number): string {
  return `${value >= 0 ? '+' : '-'}${(Math.abs(value) * 100).toFixed(1)}`;
}
