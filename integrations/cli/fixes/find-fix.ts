import { type Fix, LoopError, type RSILoop } from 'rsi-loop';
import type { NextCommand } from '../store/next-command.js';

/** Number of fixes named if a prefix matches several. */
const MAX_NAMED = 5;

/**
 * Returns the fix with this id, or the only one whose id begins with it. The prefix `fix-` is optional.
 * @throws LoopError `unknown-fix` if none or more than one matches.
 */
export function findFix(loop: RSILoop, given: string, next: NextCommand): Fix {
  const fixes = loop.fixes();
  const wanted = given.startsWith('fix-') ? given : `fix-${given}`;
  const exact = fixes.find(({ id }) => id === given || id === wanted);
  const found =
    exact || given === ''
      ? [exact].filter((fix) => fix !== undefined)
      : fixes.filter(({ id }) => id.startsWith(wanted) || id.startsWith(given));
  const [fix, ...others] = found;
  if (fix && others.length === 0) return fix;
  if (!fix) throw new LoopError('unknown-fix', `no fix ${JSON.stringify(given)}: "${next('fixes')}" lists them`);
  const ids = found.slice(0, MAX_NAMED).map(({ id }) => id);
  const more = found.length > ids.length ? ` and ${found.length - ids.length} more` : '';
  throw new LoopError('unknown-fix', `${JSON.stringify(given)} can be ${ids.join(', ')}${more}: give more of the id`);
}
