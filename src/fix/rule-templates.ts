import { classifyFailure } from '../classify/classify-error.js';
import type { Pattern } from '../contract/pattern.js';
import { checkRule, quoted } from './check-rule.js';
import { NAMED_RULES, type NamedRule } from './named-rules.js';
import type { RuleDraft } from './rule-draft.js';

/**
 * Returns the rules that the failures of a pattern state, best first: what was expected each time, what a message asks
 * for, else what the caller said by naming the issue. An error class alone makes no rule.
 */
export function rulesFromFailures(pattern: Pattern): readonly RuleDraft[] {
  // A trial of a rule counts failures, so only a rule that lowers them can be shown to help.
  if (pattern.kind !== 'failure') return [];
  const stated = byExpectation(pattern);
  const said = byMessage(pattern);
  const named = said === undefined ? byName(pattern) : undefined;
  // An exact expectation says more than a general rule, unless the caller named the failure.
  const drafts = named !== undefined && pattern.issue !== 'wrong_output' ? [named, stated] : [stated, said, named];
  return drafts.filter((draft) => draft !== undefined);
}

/** Returns the rule of the remedy that every text of the pattern matches. */
function byMessage({ actor }: Pattern): RuleDraft | undefined {
  const { who, rule, evidence } = actor;
  if (who !== 'agent' || rule === undefined || evidence.matched < evidence.of) return undefined;
  return { ...rule, why: whyOf(actor), confidence: 0.7 };
}

/** Returns why a remedy fits, from the counts of its evidence. */
function whyOf({ evidence: { matched, of, said, course } }: Pattern['actor']): string {
  const words = said.flatMap((text) => quoted(text) ?? []);
  const all = of === 2 ? 'both' : `all ${of}`;
  const some = matched === of ? all : `${matched} of ${of}`;
  const texts = of === 1 ? 'the message says' : `${some} messages say`;
  const seen = words.length > 0 ? `${texts} ${words.join(', ')}` : 'the source named it';
  return course === undefined
    ? seen
    : `${seen}; ${COURSE_WORDS[course.fact] ?? course.fact}: ${course.count} of ${course.of} since it was first seen`;
}

const COURSE_WORDS: Readonly<Record<string, string>> = {
  'path-never-listed': 'the path was in no earlier result of its session',
  'path-listed-before': 'the path was in an earlier result of its session',
  'changed-since-read': 'the file changed after it was read',
  'read-and-unchanged': 'the file was read and did not change',
  'never-read': 'the file was not read',
};

/** Returns the rule for an issue that the caller named. Classes that were read from an error text have none. */
function byName(pattern: Pattern): RuleDraft | undefined {
  const rule = NAMED_RULES.get(pattern.issue);
  if (rule === undefined) return undefined;
  const isRead = pattern.examples.some((example) => classifyFailure(example).issue === pattern.issue);
  const why = isRead
    ? `their messages say ${pattern.issue}`
    : `callers reported ${pattern.count} of them as ${pattern.issue}`;
  return { text: worded(rule, pattern), file: rule.file, why, confidence: rule.confidence };
}

/**
 * Returns the text with the name of its task. Leaves the name out if it makes it a text that may not be sent.
 */
function worded({ text }: NamedRule, { task }: Pattern): string {
  const named = text(whenOf(task));
  return checkRule(named) === undefined ? named : text(NAMELESS);
}

const NAMELESS = 'Whenever you do this task';

function whenOf(task: string): string {
  const name = quoted(task, 40);
  return name === undefined ? NAMELESS : `When you work on ${name}`;
}

/**
 * Returns a rule with the fact behind the failures: the result expected each time, and one that came instead.
 * It contains recorded text, so a person always decides.
 */
function byExpectation({ task, differences = [] }: Pattern): RuleDraft | undefined {
  const [first] = differences;
  if (first?.expected === undefined || differences.some(({ expected }) => expected !== first.expected))
    return undefined;
  const expected = quoted(first.expected, MAX_FACT);
  const actual = quoted(first.actual, MAX_FACT);
  if (expected === undefined) return undefined;
  const instead = actual === undefined ? '' : `, where ${actual} came before`;
  return {
    text: `${whenOf(task)}, make sure that the result is ${expected}${instead}.`,
    file: 'AGENTS',
    why: 'this is what was expected each time',
    confidence: 0.5,
    by: RECORDED_WORDS,
  };
}

const MAX_FACT = 80;
/** Author of a rule that contains recorded text of the failures. Such a rule is never approved without a person. */
export const RECORDED_WORDS = 'the recorded failures';
