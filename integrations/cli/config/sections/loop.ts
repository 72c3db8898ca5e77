import type { RSILoopOptions } from 'rsi-loop';
import { custom, flag, isObject, number, object, path, text } from '../check-config.js';

/** Options of the loops that `rsi` opens. They are those of `RSILoop`, without the ones that hold objects. */
export interface LoopConfig
  extends Pick<
    RSILoopOptions,
    | 'policy'
    | 'idempotent'
    | 'bounds'
    | 'ownSettings'
    | 'autoFix'
    | 'recurrenceThreshold'
    | 'windowMs'
    | 'healthHalfLifeMs'
    | 'healthThreshold'
    | 'source'
    | 'acceptedAnswers'
    | 'rules'
    | 'holdout'
    | 'alpha'
    | 'modelTimeoutMs'
    | 'ruleFiles'
    | 'autoApprove'
    | 'expireAfterMs'
  > {
  /** Folder of the agent's files (SOUL.md, AGENTS.md, TOOLS.md). Rules in force are written into them. */
  readonly workspace?: string;
}

const DAY_MS = 86_400_000;
const anObject = (of: string) => custom(`an object of ${of}`, isObject);
const duration = (fallback: number) => number('milliseconds, at least 1', { min: 1 }, { fallback });

/** Checks types and ranges. The loop itself checks the names inside `policy` and `bounds`. */
export const loopCheck = object<LoopConfig>({
  policy: anObject('settings'),
  idempotent: custom(
    'true or false for all tasks, or an object such as { fetch_page: true, send_invoice: false }',
    (value) => typeof value === 'boolean' || isTableOfFlags(value),
    { fromText: (given) => ({ true: true, false: false })[given] ?? given, fallback: false },
  ),
  bounds: anObject('bounds'),
  ownSettings: anObject('settings of your own'),
  autoFix: flag({ fallback: true }),
  recurrenceThreshold: number('a whole number of at least 1', { min: 1, whole: true }, { fallback: 3 }),
  windowMs: duration(7 * DAY_MS),
  healthHalfLifeMs: duration(DAY_MS),
  healthThreshold: number('a number from 0 to 1', { min: 0, max: 1 }),
  source: text(undefined, { fallback: 'generic' }),
  acceptedAnswers: custom("a list of kinds of failed answers, such as ['not-ok']", Array.isArray),
  rules: custom('a list of { id, category, pattern: /.../ }', Array.isArray),
  holdout: number('a share from 0 to 0.5', { min: 0, max: 0.5 }, { fallback: 0.02 }),
  alpha: number('a share above 0 and at most 0.2', { min: Number.MIN_VALUE, max: 0.2 }, { fallback: 0.05 }),
  modelTimeoutMs: number('milliseconds, from 1 to an hour', { min: 1, max: 3_600_000 }, { fallback: 30_000 }),
  ruleFiles: anObject("file names, such as { AGENTS: 'AGENTS.md' }"),
  autoApprove: anObject('confidenceAtLeast, severityAtMost and files'),
  expireAfterMs: duration(30 * DAY_MS),
  workspace: path("a folder, such as '.'"),
});

function isTableOfFlags(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((each) => typeof each === 'boolean');
}
