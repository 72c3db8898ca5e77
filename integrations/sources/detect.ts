import { agentRx } from './agentrx.js';
import { claudeCode } from './claude-code.js';
import { codex } from './codex.js';
import { csv } from './csv.js';
import { cursor } from './cursor.js';
import { geminiCli } from './gemini-cli.js';
import type { Importer, InputHead } from './importer.js';
import { inspectAi } from './inspect-ai.js';
import { langfuse } from './langfuse.js';
import { miniSweAgent } from './mini-swe-agent.js';
import { openCode } from './opencode.js';
import { openHands } from './openhands.js';
import { otelSpans } from './otel-spans.js';
import { otlp } from './otlp.js';
import { outcomes } from './outcomes.js';
import { rsiStore } from './rsi-store.js';
import { stableToolBench } from './stable-tool-bench.js';
import { sweAgent } from './swe-agent.js';
import { tauBench } from './tau-bench.js';
import { whoAndWhen } from './who-and-when.js';

/**
 * Every format that is told by itself; the first that knows the beginning of an input reads it. Outcomes come before what is
 * told by a few names of members, which outcomes might have too.
 */
export const IMPORTERS: readonly Importer[] = [
  rsiStore,
  // Its runs have lines that those of Claude Code have as well.
  cursor,
  claudeCode,
  codex,
  geminiCli,
  otlp,
  outcomes,
  langfuse,
  otelSpans,
  agentRx,
  whoAndWhen,
  stableToolBench,
  inspectAi,
  openHands,
  miniSweAgent,
  sweAgent,
  openCode,
  tauBench,
  csv,
];

export function detectImporter(head: InputHead, importers: readonly Importer[] = IMPORTERS): Importer | undefined {
  return importers.find((importer) => importer.detect(head));
}
