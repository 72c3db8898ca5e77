import type { Clock } from '../contract/clock.js';
import type { Pattern } from '../contract/pattern.js';
import { recordedText } from '../lib/recorded-text.js';
import { messageOf } from '../lib/text.js';
import { checkRule } from './check-rule.js';
import type { RuleDraft } from './rule-draft.js';

/** Question to a rule writer. All recorded text in it is data, never an instruction. */
export interface RuleQuestion {
  readonly pattern: Pattern;
  /** Rules from the templates. They are proposed if the writer has nothing better. */
  readonly templates: readonly RuleDraft[];
  /** Rules that the agent's files already contain. */
  readonly existing: readonly string[];
  /** Files that a rule may target. */
  readonly files: readonly string[];
}

/** Author of rules that are worded better than the templates, or are new: usually a model. */
export interface RuleWriter {
  /** Name used in reports and proposals. */
  readonly name: string;
  /**
   * Returns drafts, or none if it has nothing better. Drafts are checked like every rule and never applied
   * automatically.
   */
  write(question: RuleQuestion, options: { readonly signal: AbortSignal }): Promise<readonly RuleDraft[]>;
}

export interface RuleDraftsOptions {
  readonly writer: RuleWriter;
  readonly clock: Clock;
  readonly files: readonly string[];
  readonly report: (message: string) => void;
}

/** How long a cycle waits for a writer. A later cycle uses later answers. */
const PATIENCE_MS = 50;
/** Time-out of a question. */
const TIMEOUT_MS = 120_000;
const MAX_OPEN = 4;
const MAX_KEPT = 200;
/** Time after which a pattern is asked about again, so that a writer that was down gets another chance. */
const AGAIN_MS = 24 * 3_600_000;

interface Answer {
  readonly drafts: readonly RuleDraft[];
  /** Reason why there are none; absent if the writer had nothing better. */
  readonly problem?: string;
  readonly atMs: number;
}

/**
 * Asks a writer about each pattern at most once a day, and caches its drafts. A slow or broken writer blocks nothing.
 */
export class RuleDrafts {
  readonly #options: RuleDraftsOptions;
  readonly #answers = new Map<string, Answer>();
  readonly #open = new Map<string, AbortController>();

  constructor(options: RuleDraftsOptions) {
    this.#options = options;
  }

  /** Asks about the patterns without a recent question, in the given order. */
  async ask(questions: readonly RuleQuestion[]): Promise<void> {
    const { clock } = this.#options;
    const asked: Promise<void>[] = [];
    for (const question of questions) {
      if (this.#open.size >= MAX_OPEN) break;
      const { id } = question.pattern;
      const known = this.#answers.get(id);
      if (this.#open.has(id) || (known && clock.now() - known.atMs < AGAIN_MS)) continue;
      asked.push(this.#ask(question));
    }
    if (asked.length === 0) return;
    let cancel = () => {};
    const patience = new Promise<void>((resolve) => {
      cancel = clock.after(PATIENCE_MS, resolve, { background: true });
    });
    await Promise.race([Promise.all(asked), patience]);
    cancel();
  }

  /** Returns the drafts for a pattern. Empty if no question was asked or no draft was usable. */
  of(patternId: string): readonly RuleDraft[] {
    return this.#answers.get(patternId)?.drafts ?? [];
  }

  /** Returns why a question about a pattern had no result; `undefined` if it had one or was not asked. */
  problemOf(patternId: string): string | undefined {
    return this.#answers.get(patternId)?.problem;
  }

  close(): void {
    for (const abort of this.#open.values()) abort.abort();
    this.#open.clear();
  }

  async #ask(question: RuleQuestion): Promise<void> {
    const { writer, clock, report } = this.#options;
    const { id } = question.pattern;
    const abort = new AbortController();
    this.#open.set(id, abort);
    const cancel = clock.after(TIMEOUT_MS, () => abort.abort(new Error(`no answer within ${TIMEOUT_MS} ms`)), {
      background: true,
    });
    let drafts: readonly RuleDraft[] = [];
    const problems: string[] = [];
    try {
      drafts = this.#read(await writer.write(question, { signal: abort.signal }), problems);
      for (const problem of problems) report(`a rule of ${writer.name} for pattern ${id} is not used: ${problem}`);
    } catch (error) {
      problems.push(recordedText(messageOf(error)));
      report(`${writer.name} wrote no rule for pattern ${id}, the templates are used: ${problems[0]}`);
    } finally {
      cancel();
      this.#open.delete(id);
    }
    if (this.#answers.size >= MAX_KEPT) this.#answers.delete(this.#answers.keys().next().value ?? '');
    const [problem] = drafts.length === 0 ? problems : [];
    this.#answers.set(id, { drafts, atMs: clock.now(), ...(problem !== undefined && { problem }) });
  }

  /** Reads a writer's drafts field by field, because they come from outside. Adds each rejection to `problems`. */
  #read(given: unknown, problems: string[]): readonly RuleDraft[] {
    const { writer, files } = this.#options;
    if (!Array.isArray(given)) throw new Error('it must give a list of drafts');
    return given.slice(0, MAX_DRAFTS).flatMap((draft: unknown): readonly RuleDraft[] => {
      const problem = problemOf(draft, files);
      if (problem !== undefined) {
        problems.push(problem);
        return [];
      }
      const { text, file, why, confidence } = draft as RuleDraft; // `problemOf` checked every field
      return [{ text, file, why: why.slice(0, MAX_WHY), confidence, by: writer.name }];
    });
  }
}

const MAX_DRAFTS = 3;
const MAX_WHY = 300;

function problemOf(draft: unknown, files: readonly string[]): string | undefined {
  if (typeof draft !== 'object' || draft === null) return 'it is not an object';
  const { text, file, why, confidence } = draft as Record<string, unknown>; // any key of an object can be read
  if (typeof file !== 'string' || !files.includes(file)) return `its file is not one of ${files.join(', ')}`;
  if (typeof why !== 'string') return 'it does not say why';
  if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1))
    return 'its confidence is not from 0 to 1';
  return checkRule(text);
}
