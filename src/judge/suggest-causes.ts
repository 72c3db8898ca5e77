import { askCause, MAX_RECORDS, readCause } from '../analyze/ask-cause.js';
import { SURE_CAUSE } from '../analyze/root-cause.js';
import type { OutcomeId } from '../contract/ids.js';
import type { Journal } from '../contract/journal.js';
import type { Outcome } from '../contract/outcome.js';
import type { Pattern } from '../contract/pattern.js';
import { askRule, readRule } from '../fix/ask-rule.js';
import type { RuleWriter } from '../fix/rule-drafts.js';
import type { Ledger } from '../ledger/ledger.js';
import type { SuggestedCause } from '../ledger/reduce.js';
import { recordedText } from '../lib/recorded-text.js';
import { ModelClient, type ModelClientOptions, OWN_SOURCE } from './model-client.js';

/** Dependencies of the suggester. */
export interface SuggestContext {
  readonly ledger: Ledger;
  readonly store: { readonly journal: Journal };
}

/** Patterns per cycle that a model is asked about, those with the most impact first. */
const PER_TURN = 3;
/** Maximum number of journal records to search for a pattern's failures. */
const MAX_READ = 200_000;
/** Maximum number of patterns remembered for unusable answers. */
const MAX_UNUSABLE = 1_000;

/** Asks a model about patterns, in the process that leads. Errors never stop the cycle. */
export class CauseSuggester {
  readonly #options: ModelClientOptions;
  readonly #asker: ModelClient;
  /** Patterns whose last answer was unusable, with their count at that time. */
  readonly #unusable = new Map<string, number>();

  constructor(options: ModelClientOptions) {
    this.#options = options;
    this.#asker = new ModelClient(options);
  }

  /**
   * Asks for causes of patterns that the rules cannot explain, and appends the answers to the ledger. Asks once per
   * pattern, and again when its count has doubled.
   */
  async suggestCauses({ ledger, store }: SuggestContext, patterns: readonly Pattern[]): Promise<void> {
    const open = patterns.filter((pattern) => this.#isOpen(pattern, ledger.state.causes)).slice(0, PER_TURN);
    if (open.length === 0) return;
    const outcomes = await readOutcomes(
      store.journal,
      new Set(open.flatMap(({ evidence }) => evidence.slice(-MAX_RECORDS))),
    );
    for (const pattern of open) {
      const reading = await this.#ask(pattern, outcomes);
      if (reading?.kind === 'away') return;
      if (reading?.kind === 'found') await this.#append(ledger, pattern, reading.finding);
      else this.#noteUnusable(pattern, reading?.reason);
    }
  }

  /** Returns the model's finding, or why there is none; undefined if the pattern leaves nothing to ask. */
  async #ask(pattern: Pattern, outcomes: ReadonlyMap<OutcomeId, Outcome>) {
    const records = pattern.evidence.flatMap((id) => outcomes.get(id) ?? []);
    const question = askCause(pattern, records);
    if (!question) return undefined;
    const asked = await this.#asker.ask('rsi-loop: root cause', question.request);
    return asked.kind === 'answered' ? readCause(asked.json, question, asked.by) : asked;
  }

  async #append(ledger: Ledger, { id: patternId, count }: Pattern, finding: SuggestedCause['finding']): Promise<void> {
    const atMs = this.#options.clock.now();
    const by = `model ${finding.by}`;
    await ledger.append(() => [{ kind: 'cause-suggested', atMs, by, patternId, count, finding }]);
  }

  #noteUnusable({ id, count }: Pattern, reason: string | undefined): void {
    if (this.#unusable.size >= MAX_UNUSABLE) this.#unusable.clear();
    this.#unusable.set(id, count);
    if (reason !== undefined) this.#options.report(`what the model says of ${id} is not taken: ${reason}`);
  }

  /** Words rules with the model. The text is checked like every rule and needs a person's approval. */
  get ruleWriter(): RuleWriter {
    return {
      name: recordedText(this.#options.model.name),
      write: async (question) => {
        const asked = await this.#asker.ask('rsi-loop: rule', askRule(question));
        if (asked.kind !== 'answered') throw new Error(asked.reason);
        return readRule(asked.json, question);
      },
    };
  }

  /** Aborts running calls and rejects further ones. */
  close(): void {
    this.#asker.close();
  }

  #isOpen(pattern: Pattern, causes: ReadonlyMap<string, SuggestedCause>): boolean {
    const { id, count, recurring } = pattern;
    const asked = Math.max(causes.get(id)?.count ?? 0, this.#unusable.get(id) ?? 0);
    return recurring && !isOwn(pattern) && count >= 2 * asked && pattern.rootCause.confidence < SURE_CAUSE;
  }
}

/** Adds the model's suggested cause to patterns that the rules could not explain. */
export function withCauses(
  patterns: readonly Pattern[],
  causes: ReadonlyMap<string, SuggestedCause>,
): readonly Pattern[] {
  if (causes.size === 0) return patterns;
  return patterns.map((pattern) => {
    const finding = causes.get(pattern.id)?.finding;
    if (finding === undefined || pattern.rootCause.confidence >= SURE_CAUSE) return pattern;
    // A model that does not know the cause does not hide other findings.
    const isKnown = finding.confidence > 0 || pattern.rootCause.cause === 'undetermined';
    return isKnown ? { ...pattern, rootCause: finding } : pattern;
  });
}

/**
 * Returns whether a pattern comes from the loop's own calls. The loop proposes no fix for it and asks no model about
 * it.
 */
export function isOwn({ sources }: Pick<Pattern, 'sources'>): boolean {
  return sources.length > 0 && sources.every((source) => source === OWN_SOURCE);
}

async function readOutcomes(journal: Journal, ids: ReadonlySet<OutcomeId>): Promise<ReadonlyMap<OutcomeId, Outcome>> {
  const found = new Map<OutcomeId, Outcome>();
  let read = 0;
  for await (const { record } of journal.read()) {
    if (record.kind === 'outcome' && ids.has(record.outcome.id)) found.set(record.outcome.id, record.outcome);
    if (found.size === ids.size || ++read === MAX_READ) break;
  }
  return found;
}
