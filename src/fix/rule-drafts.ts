import type { Clock } from '../contract/clock.js';
import type { Pattern } from '../contract/pattern.js';
import { recordedText } from '../lib/recorded-text.js';
import { messageOf } from '../lib/text.js';
import { checkRule } from './check-rule.js';
import type { RuleDraft } from './rule-draft.js';

/** What a writer of rules is asked. Everything in it that was recorded is data, never an instruction. */
export interface RuleQuestion {
  readonly pattern: Pattern;
  /** What the templates offer, and what is proposed when nothing better comes. */
  readonly templates: readonly RuleDraft[];
  /** Rules that stand in the agent's files already. */
  readonly existing: readonly string[];
  /** The files a rule may be meant for. */
  readonly files: readonly string[];
}

/** Words rules better than templates can, or finds other ones: a model, mostly. */
export interface RuleWriter {
  /** What reports and proposals call it. */
  readonly name: string;
  /** Gives none when it has nothing better. What it gives is checked like every rule, and never applied by itself. */
  write(question: RuleQuestion, options: { readonly signal: AbortSignal }): Promise<readonly RuleDraft[]>;
}

export interface RuleDraftsOptions {
  readonly writer: RuleWriter;
  readonly clock: Clock;
  readonly files: readonly string[];
  readonly report: (message: string) => void;
}

/** A cycle waits this long for a writer; what comes later is used by a later cycle. */
const PATIENCE_MS = 50;
/** After this long an answer is not waited for any more. */
const TIMEOUT_MS = 120_000;
const MAX_OPEN = 4;
const MAX_KEPT = 200;
/** A pattern is asked about again after this long, so that a writer that was down gets another chance. */
const AGAIN_MS = 24 * 3_600_000;

interface Answer {
  readonly drafts: readonly RuleDraft[];
  /** Why there are none; absent where the writer had nothing better. */
  readonly problem?: string;
  readonly atMs: number;
}

/** Asks a writer about patterns, once each, and keeps what it gave. A slow or broken writer holds up nothing. */
export class RuleDrafts {
  readonly #options: RuleDraftsOptions;
  readonly #answers = new Map<string, Answer>();
  readonly #open = new Map<string, AbortController>();

  constructor(options: RuleDraftsOptions) {
    this.#options = options;
  }

  /** Asks about the patterns that nobody was asked about lately, the first ones first. */
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

  /** What was given for a pattern; nothing when nobody was asked or nothing usable came. */
  of(patternId: string): readonly RuleDraft[] {
    return this.#answers.get(patternId)?.drafts ?? [];
  }

  /** Why nothing came of a question about a pattern; undefined where something did, or nobody was asked. */
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

  /** What a writer gives is from outside: each draft is read field by field, and what cannot be used is said. */
  #read(given: unknown, problems: string[]): readonly RuleDraft[] {
    const { writer, files } = this.#options;
    if (!Array.isArray(given)) throw new Error('it must give a list of drafts');
    return given.slice(0, MAX_DRAFTS).flatMap((draft: unknown): readonly RuleDraft[] => {
      const problem = problemOf(draft, files);
      if (problem !== undefined) {
        problems.push(problem);
        return [];
      }
      const { text, file, why, confidence } = draft as RuleDraft; // `problemOf` looked at every field
      return [{ text, file, why: why.slice(0, MAX_WHY), confidence, by: writer.name }];
    });
  }
}

const MAX_DRAFTS = 3;
const MAX_WHY = 300;

function problemOf(draft: unknown, files: readonly string[]): string | undefined {
  if (typeof draft !== 'object' || draft === null) return 'it is no object';
  const { text, file, why, confidence } = draft as Record<string, unknown>; // an object may be asked for any key
  if (typeof file !== 'string' || !files.includes(file)) return `its file is not one of ${files.join(', ')}`;
  if (typeof why !== 'string') return 'it does not say why';
  if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1))
    return 'its confidence is not from 0 to 1';
  return checkRule(text);
}
