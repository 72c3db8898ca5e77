/**
 * Sources of coding agents, read from their transcripts and hooks. Their programs make the calls, so no setting of a loop
 * ever reaches them.
 */
const AGENT_SOURCES: ReadonlySet<string> = new Set([
  'claude-code',
  'codex',
  'gemini-cli',
  'cursor',
  'opencode',
  'openclaw',
  'openhands',
  'swe-agent',
  'mini-swe-agent',
]);

export function isAgentSource(source: string): boolean {
  return AGENT_SOURCES.has(source);
}
