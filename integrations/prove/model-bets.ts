import type { ClaimRule } from './claims.js';
import { type BetSession, type Evidence, LineBet } from './line-bet.js';

/** Models whose sessions are judged separately. */
const MAX_MODELS = 6;

/** Evidence on a line from the sessions of one model. */
export interface ModelEvidence extends Evidence {
  readonly model: string;
  readonly sessions: number;
  /** Absent if the sessions of this model alone do not tell. */
  readonly verdict?: 'helps' | 'harms';
}

/** Bets on each line by the model of the session. The model is named before the lines are drawn. */
export class ModelBets {
  readonly #bets = new Map<string, (LineBet & { sessions: number })[]>();
  readonly #lines: number;

  constructor(lines: number) {
    this.#lines = lines;
  }

  bet(model: string, line: number, session: BetSession): void {
    let bets = this.#bets.get(model);
    if (!bets) {
      if (this.#bets.size >= MAX_MODELS) return;
      bets = Array.from({ length: this.#lines }, () => Object.assign(new LineBet(), { sessions: 0 }));
      this.#bets.set(model, bets);
    }
    const bet = bets[line];
    if (!bet) return;
    bet.bet(session);
    bet.sessions++;
  }

  /** Returns the evidence of each line by model. Claims are made over all pairs of a line and a model together. */
  evidence(rule: ClaimRule): readonly (readonly ModelEvidence[])[] {
    const models = [...this.#bets.keys()];
    const pairs = models.flatMap((model) => (this.#bets.get(model) ?? []).map((bet) => ({ model, bet })));
    const claimed = rule.claimed(pairs.map(({ bet: { eHelps, eHarms } }) => ({ eHelps, eHarms })));
    return Array.from({ length: this.#lines }, (_, line) =>
      models.flatMap((model, index) => {
        const place = index * this.#lines + line;
        const bet = pairs[place]?.bet;
        const verdict = claimed[place];
        if (!bet || bet.sessions === 0) return [];
        const { sessions, eHelps, eHarms } = bet;
        return [{ model, sessions, eHelps, eHarms, ...(verdict && { verdict }) }];
      }),
    );
  }
}
