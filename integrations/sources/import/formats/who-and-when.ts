import { contentText, idOf, isRow, numberOf, type Row, textOf } from '../fields.js';
import { AGENT_RUN, Gathering, timedId } from '../gathering.js';
import type { Importer, InputHead } from '../importer.js';
import { type DocumentReader, type Place, readDocuments } from '../read-documents.js';
import { readToolError } from '../tool-error.js';

const SOURCE = 'who-and-when';

/** Failed runs of several agents with who failed, when and why, as the Who&When data set labels them: one a file. */
export const whoAndWhen: Importer = {
  name: SOURCE,
  title: 'labelled runs of Who&When (.json)',
  detect: ({ text }: InputHead) => /"(?:mistake_agent|mistake_step)"\s*:/.test(text),
  read: (input) => {
    const gathering = new Gathering(input, SOURCE);
    return readDocuments(input, gathering, new LabelledRun(gathering));
  },
};

class LabelledRun implements DocumentReader {
  readonly #gathering: Gathering;
  #own: Record<string, unknown> = {};
  #index = 0;
  #key: string | undefined;

  constructor(gathering: Gathering) {
    this.#gathering = gathering;
  }

  member(key: string | undefined, value: unknown, place: Place): void {
    if (key === 'history') {
      if (isRow(value)) this.#message(value);
      else this.#gathering.skip('a message is no object', place.line);
      this.#index++;
    } else if (key === undefined && isRow(value)) {
      for (const [name, each] of Object.entries(value)) {
        for (const entry of name === 'history' && Array.isArray(each) ? (each as readonly unknown[]) : [each])
          this.member(name, entry, place);
      }
      this.end();
    } else if (key !== undefined && WANTED.has(key)) this.#own[key] = value;
  }

  end(): void {
    const own = this.#own;
    const agent = textOf(own.mistake_agent);
    const isCorrect = own.is_correct ?? own.is_corrected;
    if (agent !== undefined || typeof isCorrect === 'boolean') {
      const success = agent === undefined && isCorrect === true;
      this.#gathering.add({
        task: AGENT_RUN,
        id: this.#runId(),
        success,
        agent,
        session: this.#run(),
        issues: success ? undefined : ['wrong_output'],
        expected: idOf(own.ground_truth) ?? idOf(own.groundtruth),
        // What a person wrote about it is no message of a program: it is not classified.
        actual: success ? undefined : textOf(own.mistake_reason),
        context: { step: idOf(own.mistake_step) ?? null, level: idOf(own.level) ?? null },
      });
    }
    this.#own = {};
    this.#index = 0;
    this.#key = undefined;
  }

  /** The computer that runs the agents' code says how that ended. */
  #message(message: Row): void {
    const content = contentText(message.content);
    const found = /^exitcode: (-?\d+)\b[^\n]*\n?/.exec(content);
    const code = numberOf(found?.[1]);
    if (found === null || code === undefined) return;
    const read =
      code === 0
        ? undefined
        : readToolError(`Exit code ${code}\n${content.slice(found[0].length).replace(/^Code output:\s*/, '')}`);
    this.#gathering.add({
      task: 'run_code',
      id: timedId(undefined, `${this.#run()}-${this.#index}`),
      tool: 'run_code',
      success: code === 0,
      session: this.#run(),
      parent: this.#runId(),
      error: read?.kind === 'failure' ? read.error : undefined,
    });
  }

  /** By what is known of it when the first of its outcomes is made. */
  #run(): string {
    this.#key ??= this.#gathering.key(idOf(this.#own.question_ID) ?? textOf(this.#own.question) ?? '');
    return this.#key;
  }

  #runId(): string {
    return timedId(undefined, `${this.#run()}-run`);
  }
}

const WANTED: ReadonlySet<string> = new Set(
  'is_correct is_corrected question question_ID level ground_truth groundtruth mistake_agent mistake_step mistake_reason'.split(
    ' ',
  ),
);
