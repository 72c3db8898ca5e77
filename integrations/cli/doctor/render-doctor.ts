import type { StoreCheck } from 'rsi-loop/node';
import { counted } from '../../reports/words/numbers.js';
import type { Look } from '../terminal/look.js';
import { beside } from '../terminal/page.js';
import { padEnd, plain, wrap } from '../terminal/terminal-text.js';

/** Column in which texts begin: a mark, the name of the check. */
const LABEL = 14;

/** Renders a line for each check; below it, the advice if something needs attention. */
export function renderChecks(folder: string, checks: readonly StoreCheck[], { width, paint }: Look): string {
  const lines = checks.flatMap(({ name, ok, found, advice }) => {
    const mark = ok ? paint('green', '✓') : paint('red', '✗');
    const todo = advice === undefined ? [] : wrap(`→ ${advice}`, width - LABEL);
    return beside(`${mark} ${paint('bold', padEnd(name, LABEL - 2))}`, [
      ...wrap(plain(found), width - LABEL),
      ...todo.map((line) => paint('yellow', line)),
    ]);
  });
  const failing = checks.filter(({ ok }) => !ok).length;
  const attention = `${counted(failing, 'check')} ${failing === 1 ? 'needs' : 'need'} attention.`;
  const end = failing === 0 ? paint('green', 'Nothing needs attention.') : paint('red', attention);
  const heading = wrap(plain(folder), width, { whole: true }).map((line) => paint('dim', line));
  return `${[...heading, '', ...lines, '', end].join('\n')}\n`;
}
