import type { Week } from '../week.js';
import { worseWords } from '../worse/worse-words.js';
import { counted, dollars, duration, whole } from './numbers.js';

/** Longest line that a session may begin with. */
const MAX_CHARACTERS = 200;
/** Less is not worth a word. */
const LEAST_MS = 60_000;
const LEAST_USD = 0.01;

/** Says what the failures of a week cost: `38 min and $4.10`; empty if that is not recorded. */
export function costWords({ lostMs, lostUsd }: Pick<Week, 'lostMs' | 'lostUsd'>): string {
  const parts = [
    ...(lostMs >= LEAST_MS ? [duration(lostMs)] : []),
    ...(lostUsd >= LEAST_USD ? [dollars(lostUsd)] : []),
  ];
  return parts.join(' and ');
}

/** Says what was proven in a week: `1 fix helps, 2 lines harm`; empty for nothing. */
export function provenWords({ verdicts, lines }: Pick<Week, 'verdicts' | 'lines'>): string {
  const helps = verdicts.filter((verdict) => verdict.helps).length;
  const rest = verdicts.length - helps;
  const words = (count: number, noun: string, one: string, many: string) =>
    count === 0 ? [] : [`${counted(count, noun)} ${count === 1 ? one : many}`];
  return [
    ...words(helps, 'fix', 'helps', 'help').map((text) => text.replace('fixs', 'fixes')),
    ...words(rest, 'fix', 'does not help', 'do not help').map((text) => text.replace('fixs', 'fixes')),
    ...words(lines.helps, 'line', 'helps', 'help'),
    ...words(lines.harms, 'line', 'harms', 'harm'),
  ].join(', ');
}

/** Summarizes a week in one line of at most 200 characters. Holds names that were recorded. */
export function weekLine(week: Week): string {
  const [first] = week.worst;
  const cost = costWords(week);
  const proven = provenWords(week);
  const failed = first
    ? `${counted(week.failures, 'failure')}, most ${first.task} ${first.issue} (${whole(first.count)})${cost === '' ? '' : `, cost ${cost}`}`
    : 'nothing failed';
  const parts = [`rsi, last 7 days: ${failed}`, ...(proven === '' ? [] : [proven]), decideWords(week)];
  const line = parts.join('; ');
  return line.length <= MAX_CHARACTERS ? line : `${line.slice(0, MAX_CHARACTERS - 1)}…`;
}

function decideWords({ decide }: Week): string {
  if (decide === null) return 'nothing to decide';
  if (decide.kind === 'worse') return `${worseWords(decide.worsening)}: rsi worse`;
  return decide.kind === 'fix' ? 'to decide: rsi review' : 'to decide: rsi prove --apply';
}
