import { type Scope, scopeCovers } from '../contract/scope.js';
import type { Trial } from '../contract/trial.js';
import type { KindFigures } from '../contract/verdict.js';
import type { EndedUnit } from './betting-martingale.js';
import { Explored, type ExploredSnapshot } from './explored.js';
import { Subgroups, type SubgroupsSnapshot } from './subgroups.js';
import type { Unit } from './unit.js';

/** Maximum kinds of tasks excluded from a fix. With more misfits, the fix is judged as a whole. */
const MOST_SPARED = 3;

export interface SparedKindsSnapshot {
  readonly subgroups: SubgroupsSnapshot;
  readonly explored: ExploredSnapshot;
}

/** Kind of task to exclude from a fix, and the reason. */
type Misfit = ReturnType<Subgroups['worst']>;

/** Kinds of tasks of one trial: finds those that the fix harms or does not help, and follows the excluded ones. */
export class SparedKinds {
  readonly #subgroups: Subgroups;
  /** Excluded kinds of task after the confirmation. */
  readonly #explored: Explored;
  readonly #unit: Trial['unit'];

  constructor(unit: Trial['unit'], snapshot?: SparedKindsSnapshot) {
    this.#unit = unit;
    this.#subgroups = new Subgroups(unit === 'task', snapshot?.subgroups);
    this.#explored = new Explored(snapshot?.explored);
  }

  get isInDoubt(): boolean {
    return this.#unit !== 'session' && this.#subgroups.isInDoubt;
  }

  get figures(): readonly KindFigures[] {
    const { figures } = this.#subgroups;
    return this.#unit === 'session' ? figures.map(({ guard: _, ...counts }) => counts) : figures;
  }

  /** Returns the kinds of single tasks that do not show yet whether the fix helps them. */
  doubted({ unit }: Trial): readonly Scope[] {
    return unit === 'task' ? this.#subgroups.doubted() : [];
  }

  /** Returns a kind of task whose doubt is over. */
  trusted({ doubted = [] }: Trial): { readonly scope: Scope; readonly helps: boolean } | undefined {
    for (const scope of doubted) {
      const helps = this.#subgroups.isTrusted(scope);
      if (helps !== undefined) return { scope, helps };
    }
    return undefined;
  }

  /** Follows which kinds of tasks are excluded, and which are in doubt after the confirmation. */
  follow(except: readonly Scope[], doubted: readonly Scope[] = []): void {
    this.#subgroups.spare(except);
    this.#subgroups.doubt(doubted);
    this.#explored.follow(except);
  }

  /** Returns the exclusion of a single task that was drawn before its kind was excluded, or to explore that kind. */
  exclusionOf({ tasks }: Unit, { unit, scope }: Trial): Scope | undefined {
    const kind = unit === 'task' && scope.except ? tasks[0]?.scope : undefined;
    return kind && scope.except?.find((left) => scopeCovers(left, kind));
  }

  /** Bets on a task of an excluded kind. Returns whether the fix helps it. */
  explore(scope: Scope, ended: EndedUnit): boolean {
    return this.#explored.take(scope, ended);
  }

  /** Bets on the tasks of a unit. Returns a kind that the fix harms or does not help. */
  harmed(unit: Unit, trial: Trial): Misfit {
    const isSession = trial.unit === 'session';
    this.#subgroups.bet(unit, isSession);
    return !isSession && canSpare(trial) ? this.#subgroups.harmed() : undefined;
  }

  /** Returns the worst kind if the fix fails overall but helps another kind. */
  worst(trial: Trial): Misfit {
    return canSpare(trial) ? this.#subgroups.worst() : undefined;
  }

  snapshot(): SparedKindsSnapshot {
    return { subgroups: this.#subgroups.snapshot(), explored: this.#explored.snapshot() };
  }
}

function canSpare({ scope }: Trial): boolean {
  return (scope.except?.length ?? 0) < MOST_SPARED;
}
