import { type Fix, LoopError, type RSILoop } from 'rsi-loop';
import { deciding } from 'rsi-loop/kit';
import type { NextCommand } from '../terminal/look.js';
import { plain } from '../terminal/terminal-text.js';

/** Issue of a question whether an agent may run an action. */
const CONFIRMATION = 'confirmation';
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
  if (exact) return exact;
  const found = given === '' ? [] : fixes.filter(({ id }) => id.startsWith(wanted) || id.startsWith(given));
  const [fix, ...others] = found;
  if (!fix) throw new LoopError('unknown-fix', `no fix ${JSON.stringify(given)}: "${next('fixes')}" lists them`);
  if (others.length === 0) return fix;
  const ids = found.slice(0, MAX_NAMED).map(({ id }) => id);
  const more = found.length > ids.length ? ` and ${found.length - ids.length} more` : '';
  throw new LoopError('unknown-fix', `${JSON.stringify(given)} can be ${ids.join(', ')}${more}: give more of the id`);
}

/** Command that a person can run on a fix now, with its effect. */
export type FixCommand = readonly [command: string, does: string];

export function commandsFor(fix: Fix, next: NextCommand): readonly FixCommand[] {
  const { id, status, unit, verdict, issue } = fix;
  const short = plain(id).replace(/^fix-/, '');
  const reject = next(`reject ${short} --reason "..."`);
  if (status === 'proposed' && issue === CONFIRMATION) {
    return [
      [next(`approve ${short}`), 'lets the agent run it once'],
      [reject, 'keeps the agent from running it'],
    ];
  }
  if (status === 'proposed') {
    const part = unit === 'session' ? 'half of the sessions' : 'a random part of the work';
    const others: readonly FixCommand[] = [
      [next(`apply ${short}`), 'applies it without a trial'],
      [reject, 'does not propose it again as it is'],
    ];
    return !deciding.legalDecisions(fix).includes('approve')
      ? others
      : [[next(`approve ${short}`), `tries it on ${part}`], ...others];
  }
  if (status === 'trial' && verdict?.kind === 'inconclusive') {
    return [
      [next(`approve ${short}`), 'keeps it, although it is not proven'],
      [next(`rollback ${short}`), 'rolls it back'],
    ];
  }
  if (status === 'reopened' && deciding.legalDecisions(fix).includes('approve')) {
    return [
      [next(`approve ${short}`), 'leaves it in force'],
      [next(`rollback ${short}`), 'rolls it back'],
    ];
  }
  if (deciding.legalDecisions(fix).includes('reconsider')) return [[next(`reconsider ${short}`), 'proposes it again']];
  const canEnd = ['approved', 'trial', 'confirmed', 'applied-unverified', 'reopened'].includes(status);
  return canEnd ? [[next(`rollback ${short}`), 'rolls it back']] : [];
}
