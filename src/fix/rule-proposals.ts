import type { RuleChange, RuleFile } from '../contract/change.js';
import type { Fix, Forecast } from '../contract/fix.js';
import type { FixId, OutcomeId } from '../contract/ids.js';
import type { Pattern } from '../contract/pattern.js';
import type { TaskStatistics } from '../contract/task-statistics.js';
import { onlyNamedIn } from '../lib/named-in.js';
import { percent } from '../lib/text.js';
import { checkRule } from './check-rule.js';
import type { RuleComparison } from './compare-rules.js';
import { fixIdOf } from './fix-id.js';
import type { ForecastRequest, Offer } from './offer.js';
import type { RuleDraft } from './rule-draft.js';
import { rulesFromTemplates } from './rule-templates.js';

/** Maximum outcomes stored with a proposal as its evidence. */
const MAX_EVIDENCE = 20;
/** Maximum other patterns of a task that are checked for the same rule. */
const MAX_BESIDE = 20;
const MAX_REMEMBERED = 2_000;

export interface RuleProposalsOptions {
  readonly forecast: (about: ForecastRequest) => Forecast;
  /** Returns how many trials were opened for the failures of a pattern, with any result. */
  readonly attemptsOn: (pattern: Pattern) => number;
  readonly comparison: RuleComparison;
  /** Files that a rule may target. */
  readonly files: readonly RuleFile[];
  /** Returns the rules that a file already contains. */
  readonly existing: (file: RuleFile) => readonly string[];
  /**
   * Returns better worded rules, usually from a model. They take precedence over the templates and are already checked.
   */
  readonly written: (patternId: string) => readonly RuleDraft[];
  /** Returns why there is no better wording, if a writer was asked. */
  readonly unwritten: (patternId: string) => string | undefined;
}

/** Input for proposing a rule. */
export interface RuleRequest {
  readonly pattern: Pattern;
  readonly task: TaskStatistics;
  /** Open patterns of the same task, highest impact first. The same rule may cover them. */
  readonly ofTask: readonly Pattern[];
  /** Step that the host has to take before a trial of a rule can begin. */
  readonly needs: string | undefined;
  /** Whether the task's settings are never read while its sessions take advice. */
  readonly adviceOnly: boolean;
  readonly nowMs: number;
}

/** Builds proposals of rules: checked, with their evidence, and one for all failures that the same rule would fix. */
export class RuleProposals {
  readonly #options: RuleProposalsOptions;
  /** Template results, checked once per wording and looked up once per pattern. */
  readonly #drafts = new Map<string, readonly RuleDraft[]>();
  readonly #ofPattern = new WeakMap<Pattern, readonly RuleDraft[]>();

  constructor(options: RuleProposalsOptions) {
    this.#options = options;
  }

  /** Returns the drafts for a pattern, best first. */
  draftsFor(pattern: Pattern, adviceOnly: boolean): readonly RuleDraft[] {
    const written = this.#options.written(pattern.id);
    const templates = this.templatesFor(pattern, adviceOnly);
    return written.length > 0 ? [...written, ...templates] : templates;
  }

  /**
   * Returns the template rules for a pattern. With `adviceOnly`, a rule has to do what a setting would, because no
   * setting of the task is ever read.
   */
  templatesFor(pattern: Pattern, adviceOnly: boolean): readonly RuleDraft[] {
    const known = adviceOnly ? undefined : this.#ofPattern.get(pattern);
    if (known) return known;
    const { task, issue, kind, template, where, rootCause, differences } = pattern;
    const tool = onlyNamedIn(where, 'tool') ?? '';
    const key = JSON.stringify([
      task,
      issue,
      kind,
      template,
      tool,
      rootCause.cause,
      rootCause.confidence,
      differences,
      adviceOnly,
    ]);
    let drafts = this.#drafts.get(key);
    if (!drafts) {
      const { files } = this.#options;
      drafts = rulesFromTemplates(pattern, adviceOnly).filter(
        ({ text, file }) => files.includes(file) && checkRule(text) === undefined,
      );
      if (this.#drafts.size >= MAX_REMEMBERED) this.#drafts.clear();
      this.#drafts.set(key, drafts);
    }
    if (!adviceOnly) this.#ofPattern.set(pattern, drafts);
    return drafts;
  }

  /** Yields every rule that could be proposed now, except those that a file already contains in other words. */
  *offers(request: RuleRequest): Generator<Offer> {
    const { comparison, existing } = this.#options;
    const { pattern } = request;
    for (const draft of this.draftsFor(pattern, request.adviceOnly)) {
      const { text, file } = draft;
      if (existing(file).some((rule) => comparison.saysTheSame(rule, text))) continue;
      const id = fixIdOf(pattern.id, 'rule', file);
      const change: RuleChange = { kind: 'rule', scope: { task: pattern.task }, text, file, undo: { removeRule: id } };
      const propose = () => this.#build(id, change, draft, request);
      yield { id, target: file, change, safe: false, isOwn: false, propose };
    }
  }

  #build(
    id: FixId,
    change: RuleChange,
    draft: RuleDraft,
    { pattern, task, ofTask, needs, adviceOnly, nowMs }: RuleRequest,
  ): Fix {
    const { attemptsOn, comparison, existing } = this.#options;
    const { text, file, why, by } = draft;
    const alike = others(pattern, ofTask).filter((other) =>
      this.draftsFor(other, adviceOnly).some((one) => comparison.saysTheSame(one.text, text)),
    );
    const all = [pattern, ...alike];
    const count = all.reduce((sum, one) => sum + one.count, 0);
    const attempt = attemptsOn(pattern) + 1;
    const contradicts = comparison.contradicted(text, existing(file));
    const rate = Math.min(
      1,
      all.reduce((sum, one) => sum + one.rate.value, 0),
    );
    const words = `${pattern.issue} ended ${percent(pattern.rate.value)} of ${pattern.rate.of} tasks`;
    const joined = alike.length > 0 ? `, and so would ${alike.map(({ issue }) => issue).join(', ')} be met` : '';
    const { cause, evidence } = pattern.rootCause;
    const because = cause === 'undetermined' ? '' : `; cause: ${cause}${evidence[0] ? ` (${evidence[0]})` : ''}`;
    const unwritten = by === undefined ? this.#options.unwritten(pattern.id) : undefined;
    const worded = unwritten === undefined ? '' : `; worded by a template: ${unwritten}`;
    return {
      id,
      patternId: pattern.id,
      task: pattern.task,
      issue: pattern.issue,
      target: file,
      change,
      unit: 'session',
      status: 'proposed',
      safe: false,
      reason: `${words}${joined}: ${why}${because}${by === undefined ? worded : `; worded by ${by}`}`,
      ...(by !== undefined && { wordedBy: by }),
      evidence: evidenceOf(all),
      // A few failures may have any cause. Confidence grows with their number.
      confidence: Math.round(100 * draft.confidence * (count / (count + 2))) / 100,
      expectedEffect: `${pattern.issue} in half as many sessions or less: it ends ${percent(rate)} of these tasks now`,
      ...(contradicts.length > 0 && { contradicts: contradicts.slice(0, 3) }),
      forecast: this.#options.forecast({
        rate,
        perDay: task.perDay,
        observedDays: task.observedDays,
        unit: 'session',
        attempt,
      }),
      ...(needs !== undefined && { needs }),
      attempt,
      proposedMs: nowMs,
      changedMs: nowMs,
      decision: { kind: 'waiting', sinceMs: nowMs },
    };
  }
}

/** Returns whether another fix that is open or in force already asks for the same. */
export function isSaidBy(other: Fix, { id, change }: Pick<Fix, 'id' | 'change'>, comparison: RuleComparison): boolean {
  if (other.id === id || other.change.kind !== 'rule' || change.kind !== 'rule') return false;
  const sameTask = other.change.scope.task === undefined || other.change.scope.task === change.scope.task;
  return sameTask && comparison.saysTheSame(other.change.text, change.text);
}

/**
 * Keeps a model's wording of a waiting rule. A template does not replace it when the model was not asked again, for
 * example after a restart.
 */
export function keepWords(before: Fix | undefined, fix: Fix): Fix {
  if (before?.status !== 'proposed' || before.wordedBy === undefined || fix.wordedBy !== undefined) return fix;
  const { change, wordedBy, reason, confidence, contradicts } = before;
  const { contradicts: _, ...rest } = fix;
  return {
    ...rest,
    change,
    wordedBy,
    reason,
    ...(confidence !== undefined && { confidence }),
    ...(contradicts && { contradicts }),
  };
}

function others(pattern: Pattern, ofTask: readonly Pattern[]): readonly Pattern[] {
  return ofTask
    .slice(0, MAX_BESIDE + 1)
    .filter(({ id }) => id !== pattern.id)
    .slice(0, MAX_BESIDE);
}

function evidenceOf(patterns: readonly Pattern[]): readonly OutcomeId[] {
  const found = new Set<OutcomeId>();
  for (const { evidence } of patterns) {
    for (const id of evidence) if (found.size < MAX_EVIDENCE) found.add(id);
  }
  return [...found];
}
