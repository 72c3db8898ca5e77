import { between, idOf, isRow, numberOf, type Row, rowOf, rowsOf, textOf, timeOf, tokenUse } from '../fields.js';
import type { Importer, InputHead } from '../importer.js';
import { MODEL_CALL, OutcomeCollector, timedId } from '../outcome-collector.js';
import { type DocumentReader, type Place, readDocuments } from '../read-documents.js';
import { readToolError } from '../tool-error.js';

const SOURCE = 'opencode';

/**
 * Importer for sessions of OpenCode: the output of `opencode export`, and the files of
 * `~/.local/share/opencode/storage` (one message or part each).
 */
export const openCode: Importer = {
  name: SOURCE,
  title: 'sessions of OpenCode (export, storage)',
  detect: ({ text }: InputHead) =>
    /"sessionID"\s*:/.test(text) && /"(?:messageID|modelID|providerID|callID)"\s*:/.test(text),
  read: (input) => {
    const gathering = new OutcomeCollector(input, SOURCE);
    return readDocuments(input, gathering, new Session(gathering));
  },
};

class Session implements DocumentReader {
  readonly #gathering: OutcomeCollector;
  #own: Record<string, unknown> = {};

  constructor(gathering: OutcomeCollector) {
    this.#gathering = gathering;
  }

  member(key: string | undefined, value: unknown, place: Place): void {
    if (key !== undefined && key !== 'messages') {
      if (WANTED.has(key)) this.#own[key] = value;
    } else if (isRow(value)) this.#entry(value);
    else this.#gathering.reject('a message is not an object', place.line);
  }

  row(row: Row): boolean {
    if (Array.isArray(row.messages)) return false;
    this.#entry(row);
    return true;
  }

  end(): void {
    if (this.#own.sessionID !== undefined) this.#entry(this.#own);
    this.#own = {};
  }

  /** Reads a message with its parts, a message, or a part. */
  #entry(row: Row): void {
    const info = isRow(row.info) ? row.info : row;
    if (info.role === 'assistant') this.#message(info);
    const model = textOf(info.modelID);
    for (const part of rowsOf(row.parts)) this.#part(part, model, textOf(info.mode) ?? textOf(info.agent));
    if (row.type === 'tool') this.#part(row, undefined, undefined);
  }

  #message(info: Row): void {
    const time = rowOf(info.time);
    const error = rowOf(info.error);
    const endMs = timeOf(time.completed);
    const name = textOf(error.name);
    if (name === 'MessageAbortedError') {
      this.#gathering.ignore('interrupted by a person');
      return;
    }
    if (endMs === undefined && name === undefined) {
      this.#gathering.ignore('call that did not end');
      return;
    }
    const data = rowOf(error.data);
    const tokens = rowOf(info.tokens);
    const cache = rowOf(tokens.cache);
    const input = (numberOf(tokens.input) ?? 0) + (numberOf(cache.read) ?? 0) + (numberOf(cache.write) ?? 0);
    const output = (numberOf(tokens.output) ?? 0) + (numberOf(tokens.reasoning) ?? 0);
    const status = numberOf(data.statusCode);
    this.#gathering.add({
      task: MODEL_CALL,
      id: timedId(timeOf(time.created), idOf(info.id) ?? ''),
      success: name === undefined,
      atMs: endMs ?? timeOf(time.created),
      session: textOf(info.sessionID),
      agent: textOf(info.mode) ?? textOf(info.agent),
      model: textOf(info.modelID),
      durationMs: between(timeOf(time.created), endMs),
      tokens: input + output > 0 ? tokenUse(input, output, numberOf(cache.read)) : undefined,
      costUsd: numberOf(info.cost) || undefined,
      error:
        name === undefined
          ? undefined
          : { name, message: textOf(data.message) ?? name, ...(status !== undefined && { status }) },
    });
  }

  #part(part: Row, model: string | undefined, agent: string | undefined): void {
    if (part.type !== 'tool') return;
    const state = rowOf(part.state);
    const time = rowOf(state.time);
    const endMs = timeOf(time.end);
    const tool = textOf(part.tool) ?? 'unknown tool';
    const isShell = tool === 'bash' || tool === 'shell';
    const code = isShell ? numberOf(rowOf(state.metadata).exit) : undefined;
    const said = textOf(state.error) ?? (code ? `Exit code ${code}\n${textOf(state.output) ?? ''}` : undefined);
    if (state.status !== 'completed' && state.status !== 'error') {
      this.#gathering.ignore('call that did not end');
      return;
    }
    const failed = state.status === 'error' || (code !== undefined && code !== 0);
    if (
      failed &&
      /rejected permission|^The user (?:has )?(?:rejected|denied)|Tool execution aborted/i.test(said ?? '')
    ) {
      this.#gathering.ignore('rejected by a person');
      return;
    }
    const read = failed ? readToolError(said ?? '') : undefined;
    if (read?.kind === 'not-a-failure') {
      this.#gathering.ignore(read.reason);
      return;
    }
    this.#gathering.add({
      task: tool,
      id: timedId(endMs, idOf(part.id) ?? idOf(part.callID) ?? ''),
      tool,
      success: !failed,
      atMs: endMs,
      session: textOf(part.sessionID),
      agent,
      model,
      durationMs: between(timeOf(time.start), endMs),
      error: read?.error,
    });
  }
}

/** Keys that are read from a file with a message or a part. */
const WANTED: ReadonlySet<string> = new Set(
  'id sessionID messageID role type tool callID state time modelID providerID mode agent tokens cost error'.split(' '),
);
