import type { Fix } from 'rsi-loop';
import type { NextCommand } from '../store/next-command.js';
import { plain } from '../terminal/text.js';

/** Command that a person can run on a fix now, with its effect. */
export type FixCommand = readonly [command: string, does: string];

export function commandsFor({ id, status, change, verdict }: Fix, next: NextCommand): readonly FixCommand[] {
  const short = plain(id).replace(/^fix-/, '');
  const reject = next(`reject ${short} --reason "..."`);
  if (status === 'proposed') {
    const part = change.kind === 'rule' ? 'half of the sessions' : 'a random part of the work';
    return [
      [next(`approve ${short}`), `tries it on ${part}`],
      [next(`apply ${short}`), 'puts it in force without a trial'],
      [reject, 'never proposes it again as it is'],
    ];
  }
  if (status === 'trial' && verdict?.kind === 'inconclusive') {
    return [
      [next(`approve ${short}`), 'keeps it, although it is not proven'],
      [reject, 'takes it back'],
    ];
  }
  const canEnd = ['approved', 'trial', 'confirmed', 'applied-unverified', 'reopened'].includes(status);
  return canEnd ? [[next(`rollback ${short}`), 'takes it back']] : [];
}
