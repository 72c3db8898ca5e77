import { mustBe, showValue } from 'rsi-loop/kit';
import { agentMemory } from './formats/agent-memory.js';
import { chatRuns } from './formats/chat-runs.js';
import { claudeCode } from './formats/claude-code.js';
import { codex } from './formats/codex.js';
import { csv } from './formats/csv.js';
import { cursor } from './formats/cursor.js';
import { geminiCli } from './formats/gemini-cli.js';
import { inspectAi } from './formats/inspect-ai.js';
import { langfuse } from './formats/langfuse.js';
import { openCode } from './formats/opencode.js';
import { openHands } from './formats/openhands.js';
import { otelSpans } from './formats/otel-spans.js';
import { otlp } from './formats/otlp.js';
import { outcomes } from './formats/outcomes.js';
import { rsiStore } from './formats/rsi-store.js';
import { sweAgent } from './formats/swe-agent.js';
import type { Importer, InputHead } from './importer.js';

/**
 * All formats that are detected automatically; the first match reads the input. `outcomes` comes before the formats
 * detected by a few member names, which outcomes may have too.
 */
export const IMPORTERS: readonly Importer[] = [
  rsiStore,
  // Its runs have lines that those of Claude Code have as well.
  cursor,
  claudeCode,
  codex,
  geminiCli,
  otlp,
  agentMemory,
  outcomes,
  langfuse,
  otelSpans,
  inspectAi,
  openHands,
  sweAgent,
  openCode,
  chatRuns,
  csv,
];

/** Returns the first importer that knows the format, from the beginning of the input. */
export function detectImporter(head: InputHead, importers: readonly Importer[] = IMPORTERS): Importer | undefined {
  const areImporters = Array.isArray(importers) && importers.every((one) => typeof one.detect === 'function');
  mustBe(areImporters, 'importers', showValue(importers), 'a list of importers');
  return importers.find((importer) => importer.detect(head));
}
