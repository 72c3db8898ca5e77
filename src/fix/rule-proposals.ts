import type { RuleChange, RuleFile } from '../contract/change.js';
import type { PatternFacts, Proposal, ProposalDetails } from '../contract/change-kind.js';
import type { OutcomeId } from '../contract/ids.js';
import { ERROR_CATEGORIES, type Issue } from '../contract/issue.js';
import type { Pattern } from '../contract/pattern.js';
import { PERMANENT } from '../contract/settings.js';
import { percent, whole } from '../lib/text.js';
import { adviceRules } from './advice-rules.js';
import { checkRule } from './check-rule.js';
import type { RuleComparison } from './compare-rules.js';
import { fixIdOf } from './fix-id.js';
import { isAdviceOnly, isOnlyWatched, isTooEarly } from './readiness.js';
import type { RuleDraft } from './rule-draft.js';
import { rulesFromFailures } from './rule-templates.js';

/** Maximum outcomes stored with a proposal as its evidence. */
const MAX_EVIDENCE = 20;
/** Maximum other patterns of a task that are checked for the same rule. */
const MAX_BESIDE = 20;
const MAX_REMEMBERED = 2_000;

export interface RuleProposalsOptions {
  readonly comparison: RuleComparison;
  /** Files that a rule may target. */
  readonly files: readonly RuleFile[];
  /** Returns the rules that a file already contains. */
  readonly existing: (file: RuleFile) => readonly string[];
  /**
   * Returns better worded rules, usually from a model. They take precedence over stated rules and are already checked.
   */
  readonly written: (patternId: string) => readonly RuleDraft[];
  /** Returns why there is no better wording, if a writer was asked. */
  readonly unwritten: (patternId: string) => string | undefined;
}

/** Builds proposals of rules: checked, with their evidence, and one for all failures that the same rule would fix. */
export class RuleProposals {
  readonly #options: RuleProposalsOptions;
  /** Stated rules, checked once per wording and looked up once per pattern. */
  readonly #drafts = new Map<string, readonly RuleDraft[]>();
  readonly #ofPattern = new WeakMap<Pattern, readonly RuleDraft[]>();

  constructor(options: RuleProposalsOptions) {
    this.#options = options;
  }

  /** Yields every rule that could be proposed now, except those that a file already contains in other words. */
  *propose(facts: PatternFacts): Generator<Proposal<RuleChange>> {
    const { comparison, existing } = this.#options;
    const { pattern, task } = facts;
    const adviceOnly = isAdviceOnly(facts);
    const isSettingNext = !adviceOnly && !isOnlyWatched(task, facts.sources) && isTooEarly(task);
    if (isSettingNext && !isForRules(pattern.issue)) return;
    const forAdvice = adviceOnly ? adviceRules(pattern).filter((one) => this.#options.files.includes(one.file)) : [];
    for (const draft of [...this.#draftsFor(pattern), ...forAdvice]) {
      const { text, file } = draft;
      if (existing(file).some((rule) => comparison.saysTheSame(rule, text))) continue;
      const undo = { removeRule: fixIdOf(pattern.id, 'rule', file) };
      const change: RuleChange = { kind: 'rule', scope: { task: pattern.task }, text, file, undo };
      yield { target: file, change, details: () => this.#details(draft, facts) };
    }
  }

  /** Returns the drafts for a pattern, best first. */
  #draftsFor(pattern: Pattern): readonly RuleDraft[] {
    return [...this.#options.written(pattern.id), ...this.statedFor(pattern)];
  }

  /** Returns the rules that the failures of a pattern state themselves. */
  statedFor(pattern: Pattern): readonly RuleDraft[] {
    const known = this.#ofPattern.get(pattern);
    if (known) return known;
    const { task, issue, kind, count, actor, differences } = pattern;
    const key = JSON.stringify([task, issue, kind, count, actor, differences]);
    let drafts = this.#drafts.get(key);
    if (!drafts) {
      const { files } = this.#options;
      drafts = rulesFromFailures(pattern).filter(
        ({ text, file }) => files.includes(file) && checkRule(text) === undefined,
      );
      if (this.#drafts.size >= MAX_REMEMBERED) this.#drafts.clear();
      this.#drafts.set(key, drafts);
    }
    this.#ofPattern.set(pattern, drafts);
    return drafts;
  }

  #details(draft: RuleDraft, { pattern, ofTask }: PatternFacts): ProposalDetails {
    const { comparison, existing, unwritten } = this.#options;
    const { text, file, by } = draft;
    const alike = others(pattern, ofTask).filter((other) =>
      this.#draftsFor(other).some((one) => comparison.saysTheSame(one.text, text)),
    );
    const all = [pattern, ...alike];
    const count = all.reduce((sum, one) => sum + one.count, 0);
    const contradicts = comparison.contradicted(text, existing(file));
    const rates = all.reduce((sum, one) => sum + one.rate.value, 0);
    const rate = Math.min(1, rates);
    return {
      reason: reasonFor(draft, pattern, alike, by === undefined ? unwritten(pattern.id) : undefined),
      ...(by !== undefined && { wordedBy: by }),
      evidence: evidenceOf(all),
      // A few failures may have any cause. Confidence grows with their number.
      confidence: Math.round(100 * draft.confidence * (count / (count + 2))) / 100,
      expectedEffect: `${pattern.issue} at most half as often: now in ${percent(rate)} of these calls`,
      ...(contradicts.length > 0 && { contradicts: contradicts.slice(0, 3) }),
      rate,
    };
  }
}

/** Returns the reason for a rule in one sentence: how often, for which patterns, why this rule, and who worded it. */
function reasonFor(
  { why, by }: RuleDraft,
  pattern: Pattern,
  alike: readonly Pattern[],
  unwritten: string | undefined,
): string {
  const words = `${countsOf(pattern)} calls (${percent(pattern.rate.value)})`;
  const joined = alike.map((other) => `, ${countsOf(other)}`).join('');
  const author = by ?? (unwritten === undefined ? undefined : `a template: ${unwritten}`);
  return `${words}${joined}: ${why}${author === undefined ? '' : `; worded by ${author}`}`;
}

function countsOf({ issue, count, rate }: Pattern): string {
  return `${issue} in ${whole(count)} of ${whole(rate.of)}`;
}

/**
 * Returns whether a rule is the only possible remedy: for agent mistakes, and for errors that retries cannot fix.
 * Which model it was does not matter.
 */
function isForRules(issue: Issue): boolean {
  const category = ERROR_CATEGORIES.find((one) => one === issue);
  return category === undefined || PERMANENT.has(category);
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
