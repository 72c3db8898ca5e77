import type { Localization, LocalizeOptions } from '../analyze/localize.js';
import type { Outcome } from '../contract/outcome.js';
import type { LoopHandle } from '../live/loop-parts.js';
import type { AgentPatterns, AgentPatternsOptions } from './agent-patterns.js';
import type { RecallAbout, RecallOptions, RecallResult } from './recall.js';
import type { RootCauses, RootCausesOptions } from './root-causes.js';

/** Questions whose answers need the judge. Each loads it, so that importing the library does not. */

/**
 * Returns the patterns of one agent, its team, a tool, or everything, following the `parent` links of outcomes.
 * A failure that propagated from a tool to its sub-agent and its agent counts once for each, and once in total. Reads
 * all stored outcomes of the period twice. Changes nothing.
 * @throws LoopError (as a rejection) `invalid-input` for days that are not above 0, or for both an agent and a team;
 * `store-failed` if the store cannot be read.
 */
export async function agentPatterns(loop: LoopHandle, options: AgentPatternsOptions = {}): Promise<AgentPatterns> {
  return (await import('./index.js')).agentPatterns(loop, options);
}

/**
 * Finds where failures happen: at most three causes, none of them explained by chance. Each cause is the most general
 * combination of up to three dimensions. If failures come in outbursts, places are compared within the same stretch of
 * time.
 */
export async function localize(outcomes: readonly Outcome[], options: LocalizeOptions = {}): Promise<Localization> {
  return (await import('./index.js')).localize(outcomes, options);
}

/**
 * Returns up to 4 items relevant to a planned attempt: lessons of earlier fixes, past failures, and what worked. Also
 * suggests a temperature. Uses data up to the last cycle. Changes nothing.
 * @throws LoopError `invalid-input` (as a rejection) for a task that is not a text, or an invalid number.
 */
export async function recall(loop: LoopHandle, about: RecallAbout, options: RecallOptions = {}): Promise<RecallResult> {
  return (await import('./index.js')).recall(loop, about, options);
}

/**
 * Counts the root causes of the newest failures, found by the rules or else suggested earlier by a model. Reads all stored
 * outcomes of the period. Changes nothing.
 * @throws LoopError `invalid-input` for a number of days that is not above 0, `store-failed` if the store cannot be
 * read.
 */
export async function rootCauses(loop: LoopHandle, options: RootCausesOptions = {}): Promise<RootCauses> {
  return (await import('./index.js')).rootCauses(loop, options);
}
