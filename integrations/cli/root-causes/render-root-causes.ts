import type { RootCauses } from 'rsi-loop';
import type { CauseShare } from 'rsi-loop/kit';
import { counted, day, percentOf, whole } from '../../reports/words/numbers.js';
import type { Look } from '../terminal/look.js';
import { paragraph } from '../terminal/page.js';
import { columns, padEnd, padStart, plain, wrap } from '../terminal/terminal-text.js';

/** Number of patterns named below each cause. */
const SHOWN_PATTERNS = 3;
const LONGEST_BAR = 40;
const SHORTEST_BAR = 8;
/** Bars in eighths of a column. */
const PARTS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Renders causes as a table with bars, in lines of at most `width` columns. */
export function renderCauses({ causes, count, sinceMs, untilMs }: RootCauses, look: Look): string {
  const { width, paint } = look;
  const time = `${day(sinceMs)} to ${day(untilMs)}`;
  if (count === 0) return `No failures from ${time}.\n`;
  const lines = [`${paint('bold', counted(count, 'failure'))}, ${time}`, ''];
  const names = Math.max(...causes.map(({ cause }) => columns(cause)));
  const numbers = Math.max(...causes.map((each) => whole(each.count).length));
  const longest = Math.min(LONGEST_BAR, Math.max(SHORTEST_BAR, width - names - numbers - 12));
  const most = Math.max(...causes.map((each) => each.count));
  for (const each of causes) {
    const left = `${padEnd(each.cause, names)}  ${padStart(whole(each.count), numbers)}  ${padStart(percentOf(each.share), 4)} %`;
    const style = each.cause === 'undetermined' ? 'dim' : 'cyan';
    lines.push(`${left}  ${paint(style, bar((longest * each.count) / most))}`);
    for (const text of patternTexts(each)) {
      const [first = '', ...more] = wrap(text, width - 5);
      lines.push(...[`  ${first}`, ...more.map((line) => `     ${line}`)].map((line) => paint('dim', line)));
    }
  }
  if (causes.some(({ cause }) => cause === 'undetermined')) {
    lines.push(
      '',
      ...paragraph(
        'undetermined: no rule found a cause; a model can suggest one (docs/models.md in the repository)',
        look,
      ),
    );
  }
  return `${lines.join('\n')}\n`;
}

function patternTexts({ patterns, suggested }: CauseShare): string[] {
  const shown = patterns.slice(0, SHOWN_PATTERNS).map(({ task, issue, count, rootCause }) => {
    const [why] = rootCause.evidence;
    return `${whole(count)}× ${plain(task)} · ${plain(issue)}${why === undefined ? '' : `: ${plain(why)}`}`;
  });
  const more = patterns.length - shown.length;
  if (more > 0) shown.push(`and ${counted(more, 'more pattern')}`);
  if (suggested > 0) shown.push(`${whole(suggested)} of them suggested by a model`);
  return shown;
}

/** Draws a bar of at least an eighth, so that every cause is visible. */
function bar(length: number): string {
  const eighths = Math.max(1, Math.round(length * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + PARTS[eighths % 8];
}
