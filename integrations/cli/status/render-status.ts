import { basename } from 'node:path';
import type { Status, TrialStatus } from '../../reports/status.js';
import { studyWords } from '../../reports/studies.js';
import { age, counted, day, whole } from '../../reports/words/numbers.js';
import { followedCount, healthWords, isNotFollowed } from '../../reports/words/sentences.js';
import { worseWords } from '../../reports/worse/worse-words.js';
import type { Look } from '../terminal/look.js';
import { shortPath } from '../terminal/short-path.js';
import { columns, cut, padEnd, plain, wrap } from '../terminal/terminal-text.js';

/** Column in which the facts begin, after their label. */
const LABEL = 8;

type Style = Parameters<Look['paint']>[0];

interface Line {
  readonly label: string;
  /** Begins the line; cut if the line is too long for the page. */
  readonly title?: string;
  /** Rest of the line. */
  readonly facts: string;
  /** Command to type next, which is never cut. */
  readonly command?: string;
  /** True for a command that a person needs now. It gets a line of its own if it does not fit; others are left out. */
  readonly isNeeded?: true;
  readonly style?: Style;
}

/**
 * Renders the status in five lines: health, what fails, what is tried, what waits, what is wrong with the loop. Studies of
 * lines add one, and so do signals that got worse.
 */
export function renderStatus(status: Status, nowMs: number, look: Look): string {
  const lines = [
    { label: 'health', facts: healthWords(status.health) },
    ...period(status, nowMs),
    failing(status, look),
    trying(status),
    ...proving(status, look),
    ...gotWorse(status, look),
    waiting(status, look),
    condition(status, nowMs, look),
  ];
  return `${lines.flatMap((line) => rendered(line, look)).join('\n')}\n`;
}

function rendered({ label, title = '', facts, command, isNeeded, style }: Line, { width, paint }: Look): string[] {
  const wide = width - LABEL;
  const shown = cut(cut(title, Math.max(MIN_TITLE, wide - columns(facts))) + facts, wide);
  const line = paint('dim', padEnd(label, LABEL)) + (style ? paint(style, shown) : shown);
  if (command === undefined) return [line];
  if (columns(shown) + GAP.length + columns(command) <= wide) return [`${line}${GAP}${paint('dim', command)}`];
  if (!isNeeded) return [line];
  return [line, ...wrap(command, wide, { whole: true }).map((part) => ' '.repeat(LABEL) + paint('dim', part))];
}

const GAP = '  ';
/** Columns of a title that are always shown. */
const MIN_TITLE = 12;

function titleOf({ task, issue }: { readonly task: string; readonly issue: string }): string {
  return `${plain(task)} · ${plain(issue)}`;
}

function failing({ patterns: { failing: found, worst } }: Status, { next }: Look): Line {
  const [first] = worst;
  if (!first) return { label: 'fails', facts: 'nothing' };
  const { count, rate } = first;
  const facts = ` ${whole(count)} of ${whole(rate.of)}${found === 1 ? '' : `, ${whole(found - 1)} more`}`;
  return { label: 'fails', title: titleOf(first), facts, command: next('patterns') };
}

/** Data up to this age need no date. */
const FRESH_MS = 86_400_000;

/** Names the days of data that are not fresh, or of a range. */
function period({ period: { sinceMs, untilMs }, health: { known } }: Status, nowMs: number): readonly Line[] {
  if (!known || nowMs - untilMs < FRESH_MS) return [];
  return [
    {
      label: 'period',
      facts: `${day(sinceMs)} to ${day(untilMs)}: the newest records are ${age(nowMs - untilMs)} old`,
    },
  ];
}

function trying({ trials }: Status): Line {
  const [first] = trials;
  if (!first) return { label: 'tries', facts: 'nothing' };
  const more = trials.length === 1 ? '' : `, ${whole(trials.length - 1)} more`;
  const { followed } = first;
  const unread = followed && isNotFollowed(followed) ? `, ${followedCount(followed)}` : '';
  return { label: 'tries', title: titleOf(first), facts: `${progressOf(first)}${unread}${more}` };
}

/** Says how far a trial is from a proof: `, about 60 more tasks to a proof`. */
function progressOf({ evidence, moreTasks }: TrialStatus): string {
  if (evidence === null) return '';
  if (moreTasks === 0) return ', helps so far';
  return moreTasks === null ? ', not proven yet' : `, about ${counted(moreTasks, 'more task')} to a proof`;
}

function proving({ studies }: Status, { next }: Look): readonly Line[] {
  const [first] = [...studies].sort((one, other) => other.harms - one.harms);
  if (!first) return [];
  const more = studies.length === 1 ? '' : `, ${whole(studies.length - 1)} more`;
  const isOnDisk = first.kind === 'file' || first.kind === 'skills';
  const command = { command: next(`prove ${plain(isOnDisk ? shortPath(first.name) : first.name)}`) };
  return [
    {
      label: 'proves',
      title: plain(isOnDisk ? basename(first.name) : first.name),
      facts: ` ${studyWords(first)}${more}`,
      ...command,
    },
  ];
}

function gotWorse({ worse }: Status, { next }: Look): readonly Line[] {
  const [first] = worse;
  if (!first) return [];
  const more = worse.length === 1 ? '' : `, ${whole(worse.length - 1)} more`;
  return [{ label: 'worse', facts: `${plain(worseWords(first))}${more}`, command: next('worse'), style: 'yellow' }];
}

function waiting({ waiting: fixes, forProgram, remarks }: Status, { next }: Look): Line {
  const [first] = fixes;
  const others = [
    ...(forProgram > 0 ? [counted(forProgram, 'proposal needs your program', 'proposals need your program')] : []),
    ...(remarks > 0 ? [`${counted(remarks, 'remark')} to apply by hand`] : []),
  ];
  if (!first && others.length === 0) return { label: 'waits', facts: 'nothing' };
  if (!first) return { label: 'waits', facts: `nothing to decide; ${others.join(', ')}`, command: next('review') };
  const more = fixes.length === 1 ? '' : `, ${whole(fixes.length - 1)} more`;
  const facts = ` to decide${more}`;
  return { label: 'waits', title: titleOf(first), facts, command: next('review'), isNeeded: true, style: 'yellow' };
}

function condition({ loop }: Status, nowMs: number, { next }: Look): Line {
  const { durability, processes, lastCycleMs, frozen, paused, failedCycles, problems } = loop;
  const label = 'loop';
  if (durability === 'memory') {
    const facts = 'records are in memory, and end with the process';
    return { label, facts, command: next('doctor'), isNeeded: true, style: 'red' };
  }
  if (failedCycles) {
    const facts = `${counted(failedCycles.count, 'cycle')} failed: ${plain(failedCycles.why)}`;
    return { label, facts, command: next('doctor'), isNeeded: true, style: 'red' };
  }
  if (problems.length > 0) {
    const facts = `${counted(problems.length, 'problem')}: ${plain(problems[0] ?? '')}`;
    return { label, facts, command: next('doctor'), isNeeded: true, style: 'red' };
  }
  if (frozen) {
    const facts = `frozen by ${plain(frozen.by)}: ${plain(frozen.reason)}`;
    return { label, facts, command: next('unfreeze'), isNeeded: true, style: 'yellow' };
  }
  if (paused) {
    const facts = `trials paused by ${plain(paused.by)}: ${plain(paused.reason)}`;
    return { label, facts, command: next('resume'), isNeeded: true, style: 'yellow' };
  }
  const cycle = lastCycleMs === null ? 'no cycle yet' : `last cycle ${age(Math.max(0, nowMs - lastCycleMs))} ago`;
  if (processes > 0) return { label, facts: `${cycle}, ${counted(processes, 'process runs', 'processes run')}` };
  return { label, facts: `${cycle}, no process runs`, command: next('cycle') };
}
