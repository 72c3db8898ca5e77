import { percent } from '../lib/text.js';
import type {
  Fix,
  FixId,
  Forecast,
  Lesson,
  OutcomeId,
  Pattern,
  RuleFile,
  TaskStatistics,
  UnitKind,
} from '../records.js';
import { checkRule } from './check-rule.js';
import { contradicted, saysTheSame } from './compare-rules.js';
import { fixIdOf } from './fix-id.js';
import { countAttempts, wasTriedInVain } from './remembered.js';
import type { RuleDraft } from './rule-draft.js';
import { rulesFromTemplates } from './rule-templates.js';

/** Outcomes kept with a proposal as its evidence. */
const MAX_EVIDENCE = 20;
const MAX_REMEMBERED = 2_000;

export interface RuleProposalsOptions {
  readonly forecast: (about: { rate: number; perDay: number; unit: UnitKind; attempt: number }) => Forecast;
  /** Files that a rule may be meant for. */
  readonly files: readonly RuleFile[];
  /** Rules that stand in a file already. */
  readonly existing: (file: RuleFile) => readonly string[];
  /** Better worded rules, of a model mostly: asked before the templates. They were checked when they came. */
  readonly written: (patternId: string) => readonly RuleDraft[];
  /** Why there are no better words, where somebody was asked for them. */
  readonly unwritten: (patternId: string) => string | undefined;
}

/** What a rule is proposed from. */
export interface RuleRequest {
  readonly pattern: Pattern;
  readonly task: TaskStatistics;
  /** Other recurring patterns of the same task, whose rule may be the same. */
  readonly beside: readonly Pattern[];
  readonly lessons: readonly Lesson[];
  readonly known: ReadonlyMap<FixId, Fix>;
  /** What the host has to do before a trial of a rule can begin. */
  readonly needs: string | undefined;
  readonly nowMs: number;
}

/** Makes proposals of rules: checked, with their evidence, one for failures that the same rule would mend. */
export class RuleProposals {
  readonly #options: RuleProposalsOptions;
  /** What the templates gave, checked once per wording. */
  readonly #drafts = new Map<string, readonly RuleDraft[]>();

  constructor(options: RuleProposalsOptions) {
    this.#options = options;
  }

  /** What may be proposed for a pattern, the best first. */
  draftsFor(pattern: Pattern): readonly RuleDraft[] {
    return [...this.#options.written(pattern.id), ...this.templatesFor(pattern)];
  }

  templatesFor(pattern: Pattern): readonly RuleDraft[] {
    const { task, issue, kind, template, where, rootCause } = pattern;
    const tool = where === 'global' ? '' : (where.tool ?? '');
    const key = JSON.stringify([task, issue, kind, template, tool, rootCause.cause, rootCause.confidence]);
    let drafts = this.#drafts.get(key);
    if (!drafts) {
      const { files } = this.#options;
      drafts = rulesFromTemplates(pattern).filter(
        ({ text, file }) => files.includes(file) && checkRule(text) === undefined,
      );
      if (this.#drafts.size >= MAX_REMEMBERED) this.#drafts.clear();
      this.#drafts.set(key, drafts);
    }
    return drafts;
  }

  /** Every rule that could be proposed now; none that was tried in vain, refused, or stands in a file in other words. */
  candidates(request: RuleRequest): readonly Fix[] {
    const { pattern, lessons, nowMs } = request;
    return this.draftsFor(pattern).flatMap((draft) => {
      if (wasTriedInVain({ rule: draft.text }, lessons, nowMs)) return [];
      if (this.#options.existing(draft.file).some((rule) => saysTheSame(rule, draft.text))) return [];
      return [this.#build(draft, request)];
    });
  }

  #build(draft: RuleDraft, { pattern, task, beside, lessons, needs, nowMs }: RuleRequest): Fix {
    const { text, file, why, by } = draft;
    const alike = beside.filter((other) => this.draftsFor(other).some((one) => saysTheSame(one.text, text)));
    const all = [pattern, ...alike];
    const count = all.reduce((sum, one) => sum + one.count, 0);
    const attempt = countAttempts(lessons) + 1;
    const id = fixIdOf(pattern.id, 'rule', file);
    const contradicts = contradicted(text, this.#options.existing(file));
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
      change: { kind: 'rule', scope: { task: pattern.task }, text, file, undo: { removeRule: id } },
      unit: 'session',
      status: 'proposed',
      safe: false,
      reason: `${words}${joined}: ${why}${because}${by === undefined ? worded : `; worded by ${by}`}`,
      ...(by !== undefined && { wordedBy: by }),
      evidence: evidenceOf(all),
      // A few failures may be anything: the more of them, the surer.
      confidence: Math.round(100 * draft.confidence * (count / (count + 2))) / 100,
      expectedEffect: `${pattern.issue} in half as many sessions or less: it ends ${percent(rate)} of these tasks now`,
      ...(contradicts.length > 0 && { contradicts: contradicts.slice(0, 3) }),
      forecast: this.#options.forecast({ rate, perDay: task.perDay, unit: 'session', attempt }),
      ...(needs !== undefined && { needs }),
      attempt,
      proposedMs: nowMs,
      changedMs: nowMs,
      decision: { kind: 'waiting', sinceMs: nowMs },
    };
  }
}

/** Whether another fix that is open or in force asks for the same already. */
export function isSaidBy(other: Fix, fix: Fix): boolean {
  if (other.id === fix.id || other.change.kind !== 'rule' || fix.change.kind !== 'rule') return false;
  const sameTask = other.change.scope.task === undefined || other.change.scope.task === fix.change.scope.task;
  return sameTask && saysTheSame(other.change.text, fix.change.text);
}

/**
 * A waiting rule keeps the words of a model: a template does not take their place because the model was not asked again,
 * as after a restart.
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

function evidenceOf(patterns: readonly Pattern[]): readonly OutcomeId[] {
  return [...new Set(patterns.flatMap(({ evidence }) => evidence))].slice(0, MAX_EVIDENCE);
}
