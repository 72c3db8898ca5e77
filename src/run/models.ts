import type { Policy, Weights } from '../contract/settings.js';
import type { Random } from '../lib/random.js';

/**
 * Returns the models of a task in the order to try them: the caller's order, changed by the policy's order or weights.
 * Models for which `isResting` returns true go last. Names that the caller does not offer are ignored.
 */
export function orderModels(
  offered: readonly string[],
  policy: Policy,
  random: Random,
  isResting: (model: string) => boolean,
): readonly string[] {
  if (offered.length <= 1) return offered;
  const wanted = policy['model.order'].filter((model) => offered.includes(model));
  const ordered = [...new Set([...wanted, ...offered])];
  const drawn = drawModel(ordered, policy['model.weights'], random);
  const asked = drawn === undefined ? ordered : [drawn, ...ordered.filter((model) => model !== drawn)];
  if (!asked.some(isResting)) return asked;
  return [...asked.filter((model) => !isResting(model)), ...asked.filter(isResting)];
}

function drawModel(models: readonly string[], weights: Weights, random: Random): string | undefined {
  const total = models.reduce((sum, model) => sum + weightOf(weights, model), 0);
  if (total <= 0) return undefined; // draws nothing from `random` either
  let point = random() * total;
  for (const model of models) {
    point -= weightOf(weights, model);
    if (point < 0) return model;
  }
  return undefined;
}

function weightOf(weights: Weights, model: string): number {
  return Object.hasOwn(weights, model) ? (weights[model] ?? 0) : 0;
}
