import type { Issue } from 'rsi-loop';
import { idOf, isRow, numberOf, type Row, rowOf, rowsOf, textOf } from '../fields.js';
import { AGENT_RUN, Gathering, timedId } from '../gathering.js';
import type { Importer, InputHead } from '../importer.js';
import { type DocumentReader, type Place, readDocuments } from '../read-documents.js';
import { tellingPart } from '../tool-error.js';

const SOURCE = 'stable-tool-bench';

/** Answers of ToolBench and StableToolBench: a run a file, with its calls as a chain or as a tree of what was tried. */
export const stableToolBench: Importer = {
  name: SOURCE,
  title: 'answers of ToolBench and StableToolBench (.json)',
  detect: ({ text }: InputHead) => /"win"\s*:/.test(text) && /"(?:tree|trys|answer_generation)"\s*:/.test(text),
  read: (input) => {
    const gathering = new Gathering(input, SOURCE);
    return readDocuments(input, gathering, new Answer(gathering));
  },
};

/** `observation_code`: 0 is well, 3 and 4 end the run. */
const CODES: Readonly<Record<number, readonly [string, Issue]>> = {
  1: ['there is no such tool', 'missing_tool'],
  2: ['the input is not valid', 'validation'],
  5: ['the call timed out', 'timeout'],
  6: ['404 not found', 'not_found'],
  7: ['not subscribed', 'permission'],
  8: ['unauthorized', 'auth'],
  9: ['too many requests', 'rate_limit'],
  10: ['rate limit', 'rate_limit'],
  11: ['the answer holds an error', 'tool_failure'],
  12: ['the request failed', 'network'],
};
const ENDS: ReadonlySet<number> = new Set([3, 4]);
/** Deeper than any search goes. */
const MAX_DEPTH = 500;

class Answer implements DocumentReader {
  readonly #gathering: Gathering;
  #own: Record<string, unknown> = {};
  #calls = 0;
  #run: string | undefined;

  constructor(gathering: Gathering) {
    this.#gathering = gathering;
  }

  /** The calls stand in `tree` or `trys`; `answer_generation` and `compare_candidates` repeat some of them. */
  member(key: string | undefined, value: unknown, place: Place): void {
    if (key === 'trys' || key === 'tree') this.#run ??= this.#gathering.key(place.digest());
    if (key === 'win') this.#own.win = value;
    else if (key === 'answer_generation') this.#own.answer = summaryOf(rowOf(value));
    else if (key === 'trys') this.#chain(rowsOf(rowOf(value).chain));
    else if (key === 'tree') this.#tree(rowOf(rowOf(value).tree), undefined, 0);
  }

  end(): void {
    const { win } = this.#own;
    const answer = rowOf(this.#own.answer);
    if (typeof win === 'boolean') {
      // It may have ended without an answer, which is a success of the search and none of the run.
      const gaveUp = answer.finish === 'give_up' || answer.finish === 'give_up_and_restart';
      const success = win && !gaveUp;
      this.#gathering.add({
        task: AGENT_RUN,
        id: this.#runId(),
        success,
        session: this.#key(),
        tokens: typeof answer.tokens === 'number' ? { input: answer.tokens, output: 0 } : undefined,
        issues: success ? undefined : ['incomplete_task'],
        error: success ? undefined : gaveUp ? 'gave up' : 'ended without an answer',
        context: { query: idOf(answer.query) ?? null },
      });
    }
    this.#own = {};
    this.#calls = 0;
    this.#run = undefined;
  }

  #chain(nodes: readonly Row[]): void {
    let action: string | undefined;
    for (const node of nodes) {
      if (node.node_type === 'Action') action = textOf(node.description);
      else if (node.node_type === 'Action Input') this.#call(node, action);
    }
  }

  #tree(node: Row, action: string | undefined, depth: number): void {
    if (depth > MAX_DEPTH) return;
    if (node.node_type === 'Action Input') this.#call(node, action);
    const name = node.node_type === 'Action' ? textOf(node.description) : action;
    for (const child of rowsOf(node.children)) this.#tree(child, name, depth + 1);
  }

  #call(node: Row, tool: string | undefined): void {
    const code = numberOf(node.observation_code);
    if (code === undefined || tool === undefined || ENDS.has(code)) return;
    this.#calls++;
    const observation = textOf(node.observation) ?? '';
    const [words, issue] = CODES[code] ?? [`observation code ${code}`, 'tool_failure'];
    this.#gathering.add({
      task: tool,
      id: timedId(undefined, `${this.#key()}-${this.#calls}`),
      tool,
      success: code === 0,
      session: this.#key(),
      parent: this.#runId(),
      error: code === 0 ? undefined : { message: `${words}: ${errorMember(observation)}`, code: String(code) },
      issues: code === 0 ? undefined : [issue],
    });
  }

  #key(): string {
    this.#run ??= this.#gathering.key();
    return this.#run;
  }

  #runId(): string {
    return timedId(undefined, `${this.#key()}-run`);
  }
}

function summaryOf(answer: Row): Row {
  return { finish: answer.finish_type, tokens: numberOf(answer.total_tokens), query: textOf(answer.query) };
}

/** Observations are `{"error": ..., "response": ...}`. */
function errorMember(observation: string): string {
  try {
    const value: unknown = JSON.parse(observation);
    if (isRow(value)) return textOf(value.error) ?? tellingPart(observation);
  } catch {
    // A text that is no JSON says it itself.
  }
  return tellingPart(observation);
}
