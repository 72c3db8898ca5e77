import type { RSILoop } from '../loop.js';
import type { AgentPatterns, AgentPatternsOptions } from './find-agent-patterns.js';

/**
 * Patterns of one agent, of its team, of a tool, or over all, along the `parent` links of outcomes. A failure that went
 * up from a tool to its sub-agent and to its agent is one for each of them, and one over all. Reads everything the store
 * still holds of that time, twice, and changes nothing.
 * @throws LoopError `invalid-input` (as a rejection) for days that are not above 0, or for both an agent and a team;
 * `store-failed` when the store cannot be read.
 */
export async function agentPatterns(loop: RSILoop, options: AgentPatternsOptions = {}): Promise<AgentPatterns> {
  // Loaded when it is first asked, as `recall` is.
  const { findAgentPatterns } = await import('./find-agent-patterns.js');
  return findAgentPatterns(loop, options);
}
