import { isObject } from '../lib/is-object.js';
import { hasAll, isNumber, isPosition, isScope, isText, isTime, listOf } from './check-record.js';

type Check = (value: unknown) => boolean;
type Checks = readonly (readonly [string, Check])[];

/**
 * Returns whether an entry has every field that later code relies on. Kinds of a newer version pass; they are ignored.
 */
export function isLedgerEntry(value: unknown): boolean {
  if (!isObject(value) || !hasAll(value, ENTRY)) return false;
  const checks = KINDS.get(String(value.kind));
  return checks === undefined || hasAll(value, checks);
}

const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const objectOf =
  (checks: Checks): Check =>
  (value) =>
    isObject(value) && hasAll(value, checks);
const isShare: Check = (value) => isNumber(value) && (value as number) >= 0 && (value as number) <= 1; // a finite number
const isRead: Check = (value) => isObject(value) && Object.values(value).every(isPosition);

const ENTRY: Checks = [
  ['kind', isText],
  ['atMs', isTime],
  ['by', isText],
];

const COUNTS = objectOf([
  ['tasks', isNumber],
  ['failures', isNumber],
]);

const JUMP = objectOf([
  ['fromMs', isNumber],
  ['toMs', isNumber],
]);

const TRIAL = objectOf([
  ['fixId', isText],
  ['unit', isText],
  ['phase', isText],
  ['scope', isScope],
  ['share', isShare],
  ['alpha', isShare],
  ['openedMs', isNumber],
  ['deadlineMs', isNumber],
  ['phaseSinceMs', isNumber],
  ['seed', isNumber],
  ['past', COUNTS],
  ['atMost', optional(isObject)],
  ['jump', optional(JUMP)],
  ['smallestGain', optional(isNumber)],
  ['leastGain', optional(isNumber)],
  ['expected', optional(isNumber)],
  ['doubted', optional(listOf(isScope))],
]);

const FIGURES = objectOf([
  ['fix', COUNTS],
  ['control', COUNTS],
  ['effect', isObject],
  ['guards', listOf(isObject)],
]);

const VERDICT = objectOf([
  ['kind', isText],
  ['atMs', isNumber],
  ['figures', optional(FIGURES)],
  ['placebo', optional(isObject)],
]);

const DECISION = objectOf([['kind', isText]]);

const POLICY_CHANGE = objectOf([
  ['scope', isScope],
  ['set', isObject],
  ['undo', isObject],
]);

const RULE_CHANGE = objectOf([
  ['scope', isScope],
  ['text', isText],
  ['file', isText],
]);

const TEXT_VERSION: Checks = [
  ['text', isText],
  ['version', isText],
];

const PROMPT_CHANGE = objectOf([
  ['scope', isScope],
  ['name', isText],
  ['by', isText],
  ['unit', isText],
  ['replaces', listOf(isText)],
  ['undo', objectOf(TEXT_VERSION)],
  ...TEXT_VERSION,
]);

const SKILL_CHANGE = objectOf([
  ['scope', isScope],
  ['name', isText],
  ['hash', isText],
  ['description', isText],
  ['asks', listOf(isText)],
  ['unit', isText],
]);

const CUSTOM_CHANGE = objectOf([['scope', isScope]]);

/** Fields of each built-in kind of change. A custom kind has to read its content with care. */
const CHANGES: ReadonlyMap<string, Check> = new Map([
  ['policy', POLICY_CHANGE],
  ['rule', RULE_CHANGE],
  ['prompt', PROMPT_CHANGE],
  ['skill', SKILL_CHANGE],
]);

function isChange(value: unknown): boolean {
  if (!isObject(value) || !isText(value.kind)) return false;
  return (CHANGES.get(String(value.kind)) ?? CUSTOM_CHANGE)(value);
}

const FIX = objectOf([
  ['id', isText],
  ['patternId', isText],
  ['task', isText],
  ['issue', isText],
  ['target', isText],
  ['status', isText],
  ['reason', isText],
  ['change', isChange],
  ['forecast', DECISION],
  ['decision', DECISION],
  ['attempt', isNumber],
  ['proposedMs', isNumber],
  ['changedMs', isNumber],
  ['trial', optional(TRIAL)],
  ['verdict', optional(VERDICT)],
]);

const FINDING = objectOf([
  ['cause', isText],
  ['confidence', isNumber],
  ['evidence', listOf(isText)],
]);

const REASON: Checks = [['reason', isText]];
const WRITTEN: Checks = [
  ['fixId', isText],
  ['path', isText],
];

const KINDS: ReadonlyMap<string, Checks> = new Map<string, Checks>([
  [
    'cycle',
    [
      ['read', isRead],
      ['watermarkMs', isNumber],
    ],
  ],
  ['fix-proposed', [['fix', FIX]]],
  [
    'fix-moved',
    [
      ['fixId', isText],
      ['to', isText],
      ['reason', isText],
      ['trial', optional(TRIAL)],
      ['verdict', optional(VERDICT)],
      ['figures', optional(FIGURES)],
    ],
  ],
  ['change-written', WRITTEN],
  ['change-removed', WRITTEN],
  [
    'cause-suggested',
    [
      ['patternId', isText],
      ['count', isNumber],
      ['finding', FINDING],
    ],
  ],
  [
    'marked',
    [
      ['what', isText],
      ['label', isText],
    ],
  ],
  [
    'pattern-noted',
    [
      ['patternId', isText],
      [
        'note',
        objectOf([
          ['kind', isText],
          ['to', optional(isText)],
          ['text', optional(isText)],
        ]),
      ],
    ],
  ],
  [
    'erased',
    [
      ['records', isNumber],
      ['ids', optional(listOf(isText))],
      [
        'changed',
        listOf(
          objectOf([
            ['position', isPosition],
            ['hash', isText],
          ]),
        ),
      ],
    ],
  ],
  ['text-declared', [['name', isText], ['tasks', listOf(isText)], ...TEXT_VERSION]],
  ['frozen', REASON],
  ['unfrozen', REASON],
  ['paused', REASON],
  ['resumed', REASON],
]);
