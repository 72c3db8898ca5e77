import { isSameKind, type Scope } from '../contract/scope.js';
import { BettingMartingale, type EndedUnit } from './betting-martingale.js';
import { SINGLE_RHO } from './effect-bets.js';
import { RateGuess, type RateGuessSnapshot } from './rate-guess.js';

/** Failure-rate ratios that the bet supposes. */
const HELP_RATIOS: readonly number[] = [0.5, 0.2];
/** E-value needed. The bet runs without end: on average at most one false finding in 10,000 tasks of the fix arm. */
const NEEDED = 10_000;

interface Kind {
  readonly scope: Scope;
  readonly help: BettingMartingale;
  readonly guess: RateGuess;
}

export type ExploredSnapshot = readonly {
  readonly scope: Scope;
  readonly help: readonly number[];
  readonly guess: RateGuessSnapshot;
}[];

/**
 * Monitor of the kinds of task that a confirmed fix excludes. A few of their tasks get the fix nevertheless, so that a
 * fix that begins to help there is found.
 */
export class Explored {
  #kinds: readonly Kind[];

  constructor(snapshot: ExploredSnapshot = []) {
    this.#kinds = snapshot.map(({ scope, help, guess }) => kindOf(scope, help, guess));
  }

  /** Bets on a task of an excluded kind. Returns whether the fix helps it. */
  take(scope: Scope, unit: EndedUnit): boolean {
    const kind = this.#kinds.find((one) => one.scope === scope || isSameKind(one.scope, scope)) ?? this.#add(scope);
    kind.help.bet(unit, kind.guess.rate);
    // Harm of the past must not hide that the fix helps later.
    kind.help.forgetLosses();
    if (unit.arm === 'control') kind.guess.add(unit.tasks, unit.failures);
    return kind.help.reaches(Math.log(NEEDED));
  }

  /** Keeps only the kinds that are still excluded. */
  follow(except: readonly Scope[]): void {
    this.#kinds = this.#kinds.filter(({ scope }) => except.some((one) => isSameKind(one, scope)));
  }

  snapshot(): ExploredSnapshot {
    return this.#kinds.map(({ scope, help, guess }) => ({ scope, help: [...help.logs], guess: guess.snapshot() }));
  }

  #add(scope: Scope): Kind {
    const kind = kindOf(scope);
    this.#kinds = [...this.#kinds, kind];
    return kind;
  }
}

function kindOf(scope: Scope, help?: readonly number[], guess?: RateGuessSnapshot): Kind {
  return { scope, help: new BettingMartingale(HELP_RATIOS, SINGLE_RHO, help), guess: new RateGuess(guess) };
}
