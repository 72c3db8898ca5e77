import type { AmountRanks } from './amount-ranks.js';
import { type BetSession, LineBet } from './line-bet.js';

/** Factor on the amount of a session if a line saves a third of it. */
const SAVING = 2 / 3;
/** Evidence at which a line looks useless: a line that saves a third gets there with probability at most 1/10. */
const NEEDED = 10;

/** Session as this bet sees it: its amount instead of its failures. */
export type AmountSession = Omit<BetSession, 'tasks' | 'failures'> & { readonly amount: number };

/**
 * Bet that a line saves less than a third of an amount. What a third would have saved is added to the sessions with the
 * line. If the line saves a third, its draw says nothing about the amounts after that, so no bet wins on average.
 */
export class SavingBet {
  readonly #bet = new LineBet();

  add({ amount, ...session }: AmountSession, ranks: AmountRanks): void {
    const evened = session.isIn ? amount / Math.sqrt(SAVING) : amount * Math.sqrt(SAVING);
    this.#bet.bet({ ...session, ...ranks.asTasks(evened) });
  }

  /** Whether the evidence says that the line does not save a third. */
  get looksUseless(): boolean {
    return this.#bet.eHarms >= NEEDED;
  }
}
