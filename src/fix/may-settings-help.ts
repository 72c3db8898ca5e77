import type { Actor } from '../contract/actor.js';
import type { Pattern } from '../contract/pattern.js';

/** Actors whose failures any setting may help against. */
const ANY_SETTING: ReadonlySet<Actor> = new Set<Actor>(['loop', 'agent']);
/** Failures of one account or one model, which another model of the caller's list may not have. */
const OF_ONE_MODEL: ReadonlySet<string> = new Set([
  'quota_exceeded',
  'model_not_found',
  'auth',
  'permission',
  'resource_exhausted',
]);

/**
 * Returns whether these settings can help against the failures of a pattern, given who must act. If the failures have no
 * known cause, or belong to one provider or account, only the choice of the model can, or waiting as long as the
 * service says.
 * Repeating calls never helps against permanent failures.
 */
export function maySettingsHelp(
  { actor: { who }, issue }: Pattern,
  settings: readonly string[],
  isPermanent: boolean,
): boolean {
  if (isPermanent && settings.some((name) => name.startsWith('retries.'))) return false;
  // People say that the loop's own watch was wrong: nothing else is to blame.
  if (settings.every((name) => name.startsWith('watch.'))) return true;
  if (ANY_SETTING.has(who)) return true;
  if (!settings.every((name) => name.startsWith('model.') || name === 'limit.resetMs')) return false;
  return who === 'undetermined' || who === 'provider' || (who === 'operator' && OF_ONE_MODEL.has(issue));
}
