import type { Fix, FixId, OpenTask, RSILoop } from 'rsi-loop';
import { type Demand, demandsOf, type Followed, signOfAll } from './demands.js';

/** Rule on trial that a session got, with the steps that it asks for. */
export interface GivenRule {
  readonly fix: FixId;
  readonly demands: readonly Demand[];
}

/** Returns the rules on trial that a task was given and that its calls can show. */
export function givenRules(loop: Pick<RSILoop, 'fixes'>, { arms }: Pick<OpenTask, 'arms'>): readonly GivenRule[] {
  const given = new Set(arms.flatMap(({ fixId, arm }) => (arm === 'fix' ? fixId : [])));
  if (given.size === 0) return [];
  return loop.fixes().flatMap(({ id, change }: Fix) => {
    const demands = given.has(id) ? demandsOf(change) : [];
    return demands.length > 0 ? [{ fix: id, demands }] : [];
  });
}

/**
 * Returns for the context of a session's outcomes whether it followed each rule that it got. `signs` has one for each
 * demand of the rules. Undefined if its calls show nothing.
 */
export function followedContext(
  rules: readonly GivenRule[],
  signs: readonly Followed[],
): { readonly followed: Readonly<Record<string, Followed>> } | undefined {
  let from = 0;
  const shown = rules.flatMap(({ fix, demands }) => {
    const sign = signOfAll(signs.slice(from, from + demands.length));
    from += demands.length;
    return sign === '-' ? [] : [[fix, sign] as const];
  });
  return shown.length > 0 ? { followed: Object.fromEntries(shown) } : undefined;
}
