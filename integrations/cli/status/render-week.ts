import type { Week, WeekDecision } from '../../reports/week.js';
import { day, whole } from '../../reports/words/numbers.js';
import { costWords, provenWords } from '../../reports/words/week-line.js';
import { worseWords } from '../../reports/worse/worse-words.js';
import type { Look } from '../terminal/look.js';
import { labelled } from '../terminal/page.js';
import { shortPath } from '../terminal/short-path.js';
import { plain } from '../terminal/terminal-text.js';

/** Renders a week in five lines: what failed, what it cost, what was proven, what got worse, one thing to decide. */
export function renderWeek(week: Week, look: Look): string {
  const { worst, worse, sinceMs, untilMs, decide } = week;
  const failed = worst.map(({ task, issue, count, of }) => `${task} · ${issue} ${whole(count)} of ${whole(of)}`);
  const rows: readonly (readonly [string, string])[] = [
    ['week', `${day(sinceMs)} to ${day(untilMs)}`],
    ['failed', failed.join(', ') || 'nothing'],
    ['cost', costWords(week) || 'not recorded, or less than a minute and a cent'],
    ['proven', provenWords(week) || 'nothing'],
    ['worse', worse.map(worseWords).join(', ') || 'nothing, as far as rsi worse has read'],
    ['decide', decide ? decisionWords(decide, look) : 'nothing'],
  ];
  return `${rows.flatMap(([label, text]) => labelled(label, plain(text), look, { column: 8 })).join('\n')}\n`;
}

function decisionWords(decision: WeekDecision, { next }: Look): string {
  switch (decision.kind) {
    case 'fix':
      return `a fix for ${decision.task} · ${decision.issue}: ${next(`explain ${decision.id}`)}`;
    case 'lines':
      return `whether to remove what harms: ${next(`prove ${shortPath(decision.name)} --apply`)}`;
    case 'worse':
      return `what to do about ${worseWords(decision.worsening)}: ${next('worse')}`;
    default:
      return decision satisfies never;
  }
}
