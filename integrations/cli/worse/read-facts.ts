import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { SessionFacts, Signal, SignalCount } from '../../reports/worse/session-facts.js';
import { findCorrections } from '../../sources/sessions/corrections.js';
import { readTraces } from '../../sources/sessions/read-traces.js';
import { type Call, type Trace, turnsOf } from '../../sources/sessions/trace.js';
import type { InstructionFiles } from './instruction-files.js';

/** A longer transcript is left out. */
const MAX_BYTES = 256 * 1_048_576;

/** Returns the transcripts under the paths that changed after a time, as absolute or given paths. */
export function transcriptsUnder(paths: readonly string[], afterMs: number): readonly string[] {
  return paths.flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return [];
    if (!found.isDirectory()) return found.mtimeMs > afterMs && found.size <= MAX_BYTES ? [path] : [];
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => /\.jsonl?$/.test(name));
    return names.flatMap((name) => {
      const file = statSync(join(path, name), { throwIfNoEntry: false });
      return file?.isFile() && file.mtimeMs > afterMs && file.size <= MAX_BYTES ? [join(path, name)] : [];
    });
  });
}

/** Reads the facts of the sessions in a transcript. A file of another kind has none. */
export function readFacts(path: string, files: InstructionFiles): readonly SessionFacts[] {
  return factsOf(readFileSync(path, 'utf8'), path, files);
}

/** Returns the facts of the sessions in the text of a transcript. */
export function factsOf(text: string, path: string, files?: InstructionFiles): readonly SessionFacts[] {
  return readTraces(text, path).flatMap((trace) => {
    const atMs = trace.steps.find((step) => step.atMs !== undefined)?.atMs;
    if (atMs === undefined) return [];
    const { folder, ...about } = aboutOf(text);
    const instructions = folder === undefined ? undefined : files?.at(folder, atMs);
    return [{ id: trace.session, atMs, ...about, ...(instructions && { instructions }), counts: countsOf(trace) }];
  });
}

/** Reads agent, model, version and folder from the lines of a transcript. */
function aboutOf(
  text: string,
): Omit<SessionFacts, 'id' | 'atMs' | 'counts' | 'instructions'> & { readonly folder?: string } {
  const isCodex = text.includes('"response_item"');
  const client = /"(?:cli_)?version":\s?"(\d[\w.+-]{0,40})"/.exec(text)?.[1];
  const folder = /"cwd":\s?"((?:[^"\\]|\\.){1,400})"/.exec(text)?.[1]?.replace(/\\\\/g, '/');
  const model = mostCommon([...text.matchAll(/"model":\s?"([\w.:/-]{2,80})"/g)].map(([, name = '']) => name));
  return {
    agent: isCodex ? 'codex' : text.includes('"gemini"') ? 'gemini' : 'claude-code',
    ...(client !== undefined && { client }),
    ...(model !== undefined && { model }),
    ...(folder !== undefined && { folder, repository: basename(folder) }),
  };
}

function mostCommon(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

function countsOf(trace: Trace): Record<Signal, SignalCount> {
  const turns = turnsOf(trace);
  const calls = turns.flatMap(({ steps }) => steps.flatMap((step) => step.calls));
  const ended = calls.filter(({ result, refused }) => result !== undefined && refused === undefined);
  const of = (kind: Signal): SignalCount => {
    const own = ended.filter((call) => kindOf(call) === kind);
    return { failures: own.filter(({ result }) => result?.failed).length, of: own.length };
  };
  const asked = turns.filter(({ request }) => request !== undefined).length;
  const corrections = Math.min(asked, findCorrections(trace).length);
  return {
    edits: of('edits'),
    commands: of('commands'),
    tools: of('tools'),
    corrections: { failures: corrections, of: asked },
  };
}

function kindOf({ writes, command }: Call): Signal {
  if (writes !== undefined) return 'edits';
  return command === undefined ? 'tools' : 'commands';
}
