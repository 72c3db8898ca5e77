import { claudeCode } from './claude-code.js';
import type { Importer, InputHead } from './importer.js';
import { otlp } from './otlp.js';
import { outcomes } from './outcomes.js';
import { rsiStore } from './rsi-store.js';

/** Every format that is told by itself; the first that knows the beginning of an input reads it. */
export const IMPORTERS: readonly Importer[] = [rsiStore, claudeCode, otlp, outcomes];

export function detectImporter(head: InputHead, importers: readonly Importer[] = IMPORTERS): Importer | undefined {
  return importers.find((importer) => importer.detect(head));
}
