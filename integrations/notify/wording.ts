import type { Fix, Pattern, Verdict } from 'rsi-loop';
import { ranking } from 'rsi-loop/kit';
import { isForPerson, waitOf } from '../reports/wait.js';
import { score as scoreWords, whole } from '../reports/words/numbers.js';
import { allTasksWords, occurrenceWords, whereWords } from '../reports/words/sentences.js';
import { failuresSinceReturn, type Matter, type View } from './matters.js';
import { capped, type Message, nameOf } from './message.js';
import { neutral } from './neutral.js';
import type { Alert } from './notify-options.js';

/** Separate messages of one look; more are sent as one. */
const MAX_SEPARATE = 3;
const MAX_LISTED = 10;

export interface WordingOptions {
  readonly healthBelow?: number | undefined;
  readonly dashboardUrl?: string | undefined;
}

/** Everything of one look that concerns the same failures. */
interface Group {
  readonly task: string;
  readonly issue: string;
  readonly matters: Matter[];
}

/** Words the matters of one look: one message for each task and issue, or a single one if there are many. */
export function messagesOf(matters: readonly Matter[], view: View, options: WordingOptions): readonly Message[] {
  const groups = new Map<string, Group>();
  const messages: Message[] = [];
  for (const matter of matters) {
    const place = placeOf(matter);
    if (!place) {
      messages.push(ownMessage(matter, view, options));
      continue;
    }
    const key = JSON.stringify([place.task, place.issue]);
    const group = groups.get(key) ?? { ...place, matters: [] };
    group.matters.push(matter);
    groups.set(key, group);
  }
  const sorted = [...groups.values()].sort((one, other) => impactOf(other, view) - impactOf(one, view));
  messages.push(...sorted.map((group) => groupMessage(group, view, options)));
  return messages.length > MAX_SEPARATE ? [summaryOf(messages, view, options)] : messages;
}

function placeOf(matter: Matter): Pick<Group, 'task' | 'issue'> | undefined {
  if ('pattern' in matter) return matter.pattern;
  if ('fix' in matter) return matter.fix;
  return 'burst' in matter ? matter.burst : undefined;
}

function patternsOf({ task, issue }: Pick<Group, 'task' | 'issue'>, { patterns }: View): readonly Pattern[] {
  return patterns.filter((pattern) => pattern.recurring && pattern.task === task && pattern.issue === issue);
}

function impactOf(group: Group, view: View): number {
  const decides = group.matters.some(({ alert }) => alert === 'verdict' || alert === 'proposal') ? 1e9 : 0;
  return decides + patternsOf(group, view).reduce((sum, { impact }) => sum + impact.score, 0);
}

/** Titles, those that say most first. */
const TITLES: readonly (readonly [alert: Alert, title: string])[] = [
  ['verdict', ''],
  ['returned-pattern', 'Back again'],
  ['new-pattern', 'New'],
  ['burst', 'Burst'],
  ['proposal', 'Decide'],
];

function groupMessage(group: Group, view: View, options: WordingOptions): Message {
  const { task, issue, matters } = group;
  const [alert, word] = TITLES.find(([one]) => matters.some((matter) => matter.alert === one)) ?? ['burst', 'Burst'];
  const patterns = ranking.rankPatterns(patternsOf(group, view));
  const sentFixes = matters.flatMap((matter) => ('fix' in matter ? [matter.fix] : []));
  const running = view.fixes.filter((fix) => fix.task === task && fix.issue === issue && ACTIVE.has(fix.status));
  const fixes = [...new Set([...sentFixes, ...running])].slice(0, 3);
  const verdict = matters.flatMap((matter) => (matter.alert === 'verdict' ? [matter.fix.verdict] : []))[0];
  const bursts = patterns.length > 0 ? [] : matters.flatMap((matter) => ('burst' in matter ? [matter.burst] : []));
  return capped({
    kind: alert,
    atMs: view.nowMs,
    title: `${verdict ? verdictWord(verdict) : word}: ${nameOf(task, issue)}`,
    lines: [
      ...(verdict ? [] : patterns.slice(0, 3).flatMap(patternLines)),
      ...bursts.map(({ count }) => `${count} failures within 15 minutes.`),
      ...fixes.map((fix) => fixLine(fix, view)),
    ],
    ...{ task: neutral(task), issue: neutral(issue) },
    patternIds: patterns.map(({ id }) => id),
    fixIds: fixes.map(({ id }) => id),
    ...linkTo(options, fixes[0] ? `trials/${fixes[0].id}` : patterns[0] && `patterns/${patterns[0].id}`),
  });
}

const ACTIVE: ReadonlySet<Fix['status']> = new Set(['proposed', 'approved', 'trial', 'reopened']);

function patternLines(pattern: Pattern): readonly string[] {
  const { where, template, trend, sinceReturn } = pattern;
  const share =
    trend === 'returned' && sinceReturn
      ? `${occurrenceWords({ count: failuresSinceReturn(pattern), rate: sinceReturn })} since it came back`
      : occurrenceWords(pattern);
  const places = neutral(whereWords(where));
  return [`${share}${places === '' ? '' : `, where ${places}`}.`, `“${neutral(template)}”`];
}

function fixLine(fix: Fix, view: View): string {
  const { id, status, verdict } = fix;
  const title = neutral(view.describe(fix).title, 140).replace(/\.$/, '');
  if (status === 'trial' && verdict?.kind === 'inconclusive') {
    return `${figures(title, verdict)} Keep it: rsi approve ${id}. Remove it: rsi rollback ${id}.`;
  }
  if (verdict && status !== 'proposed') return `${figures(title, verdict)} ${STATE[status] ?? ''}`.trim();
  if (isForPerson(waitOf(fix, view.describe(fix).needsPerson)))
    return `To decide: ${title}. Approve: rsi approve ${id}`;
  if (status === 'proposed') return `Proposed: ${title}. It needs a step of yours: rsi explain ${id}`;
  if (status === 'reopened') return `In force, though its failures came back: ${title}`;
  return `${status === 'trial' ? 'On trial' : 'Approved'}: ${title}`;
}

const STATE: Readonly<Partial<Record<Fix['status'], string>>> = {
  confirmed: 'It is in force.',
  'rolled-back': 'It was rolled back.',
  reopened: 'Its failures returned.',
  'applied-unverified': 'It is in force without proof.',
};

function figures(title: string, verdict: Verdict): string {
  if (!('figures' in verdict)) return `${title}: compared with the past only.`;
  return `${title}: ${allTasksWords(verdict.figures)}.`;
}

function verdictWord(verdict: Verdict): string {
  if (verdict.kind === 'confirmed') return 'Fix confirmed';
  if (verdict.kind === 'inconclusive') return 'Fix not proven';
  return verdict.why === 'no-effect' ? 'Fix without effect' : `Fix failed (${verdict.guard ?? verdict.why})`;
}

function ownMessage(matter: Matter, view: View, options: WordingOptions): Message {
  const { nowMs: atMs, health } = view;
  if (matter.alert === 'cycle-failing') {
    const lines = [neutral(matter.why, 240), 'No trial is judged meanwhile. More: rsi doctor'];
    return capped({ kind: matter.alert, atMs, title: 'The cycle of the loop fails', lines });
  }
  const isBack = matter.alert === 'health' && matter.isBack;
  // Rounded down, so that the score is visibly below the line.
  const score = (Math.floor(health.score * 100) / 100).toFixed(2);
  const title = isBack ? `Health is back at ${score}` : `Health ${score}, below ${options.healthBelow}`;
  return capped({ kind: 'health', atMs, title, lines: isBack ? [] : lowestTasks(view), ...linkTo(options, '') });
}

function lowestTasks({ health }: View): readonly string[] {
  const lowest = Object.entries(health.byTask)
    .filter(([, { known, score }]) => known && score < health.score)
    .sort(([, one], [, other]) => one.score - other.score)
    .slice(0, 3);
  const words = lowest.map(([task, { score }]) => `${neutral(task, 60)} ${scoreWords(score)}`);
  return words.length === 0 ? [] : [`Lowest: ${words.join(', ')}`];
}

function summaryOf(messages: readonly Message[], view: View, options: WordingOptions): Message {
  const listed = messages.slice(0, MAX_LISTED);
  const more = messages.length - listed.length;
  return capped({
    kind: 'summary',
    atMs: view.nowMs,
    title: `${whole(messages.length)} alerts`,
    lines: [
      ...listed.map(({ title, lines: [first] }) => (first === undefined ? title : `${title}: ${first}`)),
      ...(more > 0 ? [`and ${more} more: rsi report`] : []),
    ],
    patternIds: messages.flatMap(({ patternIds = [] }) => patternIds),
    fixIds: messages.flatMap(({ fixIds = [] }) => fixIds),
    ...linkTo(options, ''),
  });
}

/** Returns the address of a page of the dashboard. Ids are hexadecimal, so they are safe in it. */
export function linkTo({ dashboardUrl }: WordingOptions, page: string | undefined): { readonly link?: string } {
  if (dashboardUrl === undefined || page === undefined) return {};
  return { link: new URL(page, dashboardUrl.replace(/[?#].*$/, '').replace(/\/?$/, '/')).href };
}
