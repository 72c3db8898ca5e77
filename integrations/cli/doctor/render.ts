import { wrap } from '../terminal/lines.js';
import { counted } from '../terminal/numbers.js';
import type { Paint } from '../terminal/paint.js';
import { padEnd, plain } from '../terminal/text.js';
import type { Check } from './checks.js';

/** Column in which texts begin: a mark, the name of the check. */
const LABEL = 14;

/** Renders a line for each check; below it, the advice if something needs attention. */
export function renderChecks(
  folder: string,
  checks: readonly Check[],
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string {
  const lines = checks.flatMap(({ name, ok, found, advice }) => {
    const mark = ok ? paint('green', '✓') : paint('red', '✗');
    const label = `${mark} ${paint('bold', padEnd(name, LABEL - 2))}`;
    const texts = wrap(plain(found), width - LABEL);
    const todo = advice === undefined ? [] : wrap(`→ ${advice}`, width - LABEL);
    return [
      ...texts.map((text, index) => (index === 0 ? label : ' '.repeat(LABEL)) + text),
      ...todo.map((text) => ' '.repeat(LABEL) + paint('yellow', text)),
    ];
  });
  const needy = checks.filter(({ ok }) => !ok).length;
  const end =
    needy === 0
      ? paint('green', 'Nothing needs attention.')
      : paint('red', `${counted(needy, 'check')} ${needy === 1 ? 'needs' : 'need'} attention.`);
  return `${[paint('dim', plain(folder)), '', ...lines, '', end].join('\n')}\n`;
}
