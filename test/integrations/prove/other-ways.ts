import { claims } from '../../../integrations/prove/claims.js';
import { LineBet } from '../../../integrations/prove/line-bet.js';
import type { LineVerdict } from '../../../integrations/prove/line-judge.js';
import { eBenjaminiHochberg } from '../../../src/lib/e-values.js';
import { EffectBets } from '../../../src/verify/effect-bets.js';
import type { World } from './worlds.js';

/** Session with what only a simulation knows: the log odds of failure of its tasks. */
export interface SimulatedSession {
  readonly lines: string;
  readonly tasks: number;
  readonly failures: number;
  readonly logOdds: number;
}

/** Way to judge lines, beside the one that the package has. */
export interface OtherWay {
  readonly verdicts: readonly LineVerdict[];
  readonly decidedAfter: readonly (number | undefined)[];
  add(session: SimulatedSession): void;
}

abstract class Way implements OtherWay {
  readonly verdicts: LineVerdict[];
  readonly decidedAfter: (number | undefined)[];
  #sessions = 0;

  constructor(lines: number) {
    this.verdicts = new Array(lines).fill('undecided');
    this.decidedAfter = new Array(lines).fill(undefined);
  }

  add(session: SimulatedSession): void {
    this.#sessions++;
    this.verdicts.forEach((verdict, line) => {
      if (verdict === 'undecided') this.bet(line, /i/.test(session.lines[line] ?? ''), session);
    });
    this.claimed().forEach((isClaimed, line) => {
      if (!isClaimed || this.verdicts[line] !== 'undecided') return;
      this.verdicts[line] = this.helps(line) ? 'helps' : 'harms';
      this.decidedAfter[line] = this.#sessions;
    });
  }

  protected abstract bet(line: number, isIn: boolean, session: SimulatedSession): void;
  protected abstract claimed(): readonly boolean[];
  protected abstract helps(line: number): boolean;
}

/** Bets of trials, for each line without the others, and e-Benjamini-Hochberg. */
export class LineByLine extends Way {
  readonly #bets: readonly EffectBets[];

  constructor({ odds, tasks }: World) {
    super(odds.length);
    const options = { isSingle: tasks === 1, helpRatios: [0.7, 0.5, 0.3, 0.1], usefulRatio: 0.7 };
    this.#bets = odds.map(() => new EffectBets(options));
  }

  protected bet(line: number, isIn: boolean, { tasks, failures }: SimulatedSession): void {
    // The line is the change: its absence is the control arm.
    const unit = { arm: isIn ? ('fix' as const) : ('control' as const), share: 0.5, tasks, failures };
    this.#bets[line]?.bet(unit);
    this.#bets[line]?.learn(unit);
  }

  protected claimed(): readonly boolean[] {
    return eBenjaminiHochberg(this.#bets.map(({ help, harm }) => (help.value + harm.value) / 2));
  }

  protected helps(line: number): boolean {
    const bet = this.#bets[line];
    return bet !== undefined && bet.help.value > bet.harm.value;
  }
}

/** The bets of the package, with a prediction that knows every odds: no way with these bets can be faster. */
export class AllKnown extends Way {
  readonly #odds: readonly number[];
  readonly #bets: readonly LineBet[];

  constructor({ odds }: World) {
    super(odds.length);
    this.#odds = odds;
    this.#bets = odds.map(() => new LineBet());
  }

  protected bet(line: number, isIn: boolean, { tasks, failures, logOdds }: SimulatedSession): void {
    const rest = logOdds - (isIn ? 0.5 : -0.5) * Math.log(this.#odds[line] ?? 1);
    this.#bets[line]?.bet({ isIn, share: 0.5, tasks, failures, weight: 1, logOdds: rest, shrink: 1 });
  }

  protected claimed(): readonly boolean[] {
    return claims(this.#bets.map(({ eHelps, eHarms }) => (eHelps + eHarms) / 2));
  }

  protected helps(line: number): boolean {
    const bet = this.#bets[line];
    return bet !== undefined && bet.eHelps > bet.eHarms;
  }
}
