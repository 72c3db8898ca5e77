import type { CheckKind } from './session-checks.js';

/** Statement of an answer about what the agent has done or seen. */
export interface Claim {
  readonly kind: CheckKind | 'commit' | 'push' | 'deploy' | 'all-done';
  readonly sentence: string;
}

/** Words that make a sentence a plan, a condition, a wish, a question or a denial. */
const NOT_STATED =
  /\?\s*$|\b(?:should|would|could|will|may|might|if|once|unless|until|whether|want|please|make sure|ensure[sd]?|expect(?:ed|s)?|need(?:s|ed)?|to (?:run|verify|check|confirm|test)|let me|let['’]s|now (?:run|let)|next|going to|plan(?:ned)?|try|pre-?existing|previously|before|were|was|had|other than|except|apart from|not|n['’]t|never|no longer|cannot|unable|without running|fail(?:s|ed|ing|ure)?|verif(?:y|ies)|(?:un)?related|but|only|still|partially|some|most|user)\b/i;

const SIGNS: readonly (readonly [Claim['kind'], RegExp])[] = [
  [
    'tests',
    /\b(?:tests?|specs?|test suites?)\b(?:\s*\([^)]{0,40}\))?(?: \w+){0,2} (?:now |still |all )?(?:pass(?:es|ed|ing)?|(?:are|is) (?:all )?(?:green|passing)|succeed(?:ed|s)?)\b/i,
  ],
  [
    'tests',
    /\b(?:all|both)(?: \d+)? (?:\w+ )?(?:tests?|specs?)\b.{0,25}\b(?:pass(?:es|ed|ing)?|green)\b|\ball (?:tests?|checks?) (?:\w+ )?(?:and )?.{0,20}\bpass\b|^(?:all|everything) (?:is )?(?:pass(?:es|ing)|green)\b/i,
  ],
  ['tests', /✅\s*(?:all )?(?:\w+ )?tests? (?:pass\w*|green)|\btests?:? ✅/i],
  [
    'lint',
    /\blint(?:er|ing)?\b(?: \w+){0,2} (?:is |are |passes? |shows? |reports? |also )?(?:clean|pass(?:es|ed|ing)?|happy|clear|0 issues|no (?:issues|errors|warnings|problems))\b|\b(?:no|0|zero) lint(?:er|ing)? (?:issues|errors|warnings|problems)\b|\blint(?:ing|er)? (?:and|,) .{0,25}\b(?:pass(?:es|ed)?|clean)\b|\bpass(?:es)? lint(?:ing)?\b|\b(?:and|,) lint(?:ing|er)? (?:all )?pass/i,
  ],
  [
    'build',
    /\b(?:builds?|compil(?:es|ation)|it compiles)\b(?: \w+){0,2} (?:succeed(?:s|ed)?|success(?:ful(?:ly)?)?|pass(?:es|ed)?|clean(?:ly)?|fine|without errors)\b|\b(?:code|project|everything|it) (?:now )?compiles\b/i,
  ],
  [
    'types',
    /\b(?:type[- ]?check(?:s|ing)?|tsc|mypy|pyright)\b(?: \w+){0,2} (?:pass(?:es|ed|ing)?|clean|succeed(?:s|ed)?|no errors)\b|\bno type errors\b/i,
  ],
  [
    'commit',
    /^(?:done[.!:,—-]*\s*)?(?:✅\s*)?(?:i(?:['’]ve| have)? )?(?:now )?committed(?:\s*[.!:—]|\s*$| (?:as|in|with|to|and pushed|all|both|the (?:changes?|fix\w*)|these changes|everything)\b| [0-9a-f]{7,40}\b)/i,
  ],
  [
    'push',
    /^(?:done[.!:,—-]*\s*)?(?:✅\s*)?(?:i(?:['’]ve| have)? )?(?:committed and )?pushed(?:\s*[.!:—]|\s*$| (?:as|to|successfully|the (?:changes?|fix\w*|branch)|everything|[0-9a-f]{7,40})\b)/i,
  ],
  [
    'deploy',
    /^(?:done[.!:,—-]*\s*)?(?:✅\s*)?(?:i(?:['’]ve| have)? )?(?:successfully )?(?:deployed|published|released)(?:\s*[.!:—]|\s*$| (?:to|as|successfully|the|v?\d))/i,
  ],
  [
    'all-done',
    /^(?:✅\s*)?(?:all|everything) (?:(?:tasks?|items?|steps?|todos?|points?) )?(?:is |are |has been |have been )?(?:done|complete[d]?|finished|implemented)\b/i,
  ],
];

/** Returns what an answer claims to have done or seen. Code, quotes and plans are left out. */
export function claimsIn(answer: string): readonly Claim[] {
  const claims: Claim[] = [];
  for (const sentence of sentencesOf(answer)) {
    if (NOT_STATED.test(sentence)) continue;
    for (const [kind, sign] of SIGNS) {
      if (sign.test(sentence) && !claims.some((claim) => claim.kind === kind)) claims.push({ kind, sentence });
    }
  }
  return claims;
}

const MAX_SENTENCES = 200;
const MAX_SENTENCE_CHARS = 240;

function sentencesOf(answer: string): readonly string[] {
  const prose = answer
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .replace(/`([^`\n]*)`/g, '$1')
    .replace(/\*\*|__/g, '');
  return prose
    .split(/\n|(?<=[.!?])\s+(?=[A-Z\d✅❌*-])/)
    .filter((line) => !/^\s*(?:>|\|)|^\s*[-*] \[ \]|test plan/i.test(line))
    .map((line) => line.replace(/^[\s#*•\-\d.)]+/, '').trim())
    .filter((line) => line.length > 2 && line.length <= MAX_SENTENCE_CHARS)
    .slice(0, MAX_SENTENCES);
}
