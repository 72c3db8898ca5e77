import type { Pattern } from '../../contract/pattern.js';
import type { SettingName, Settings } from '../../contract/settings.js';
import type { CatalogContext, CatalogEntry } from '../candidate.js';

const EFFORTS = ['minimal', 'low', 'medium', 'high'];

/** Next value of a setting against failures; undefined if there is none. */
type Step = (value: unknown) => unknown;

const half: Step = (value) => (typeof value === 'number' && value > 0.05 ? Math.round(value * 50) / 100 : undefined);
const twice: Step = (value) => (typeof value === 'number' && value > 0 ? value * 2 : undefined);
const wholeHalf: Step = (value) => (typeof value === 'number' && value >= 4 ? Math.floor(value / 2) : undefined);
/** Recalls only what fits twice as well. */
const stricter: Step = (value) =>
  typeof value === 'number' && value < 0.9 ? Math.round(50 + value * 50) / 100 : undefined;
const harder: Step = (value) => EFFORTS[EFFORTS.indexOf(String(value)) + 1];

/** Settings to try against each issue, and the next value of each. */
const STEPS: Readonly<Record<string, readonly (readonly [SettingName, Step])[]>> = {
  wrong_output: [
    ['reasoning.effort', harder],
    ['sampling.temperature', half],
    ['sampling.topP', half],
    ['recall.k', twice],
    ['recall.minScore', stricter],
  ],
  parse_error: [
    ['sampling.temperature', half],
    ['sampling.topP', half],
  ],
  incomplete_task: [
    ['output.maxTokens', twice],
    ['reasoning.effort', harder],
  ],
  empty_response: [['output.maxTokens', twice]],
  context_length: [
    ['context.compactTokens', wholeHalf],
    ['context.maxMessages', wholeHalf],
    ['recall.k', wholeHalf],
  ],
  context_loss: [
    ['context.maxMessages', twice],
    ['context.compactTokens', twice],
  ],
  compaction_lost_context: [['context.compactTokens', twice]],
  memory_miss: [
    ['recall.k', twice],
    ['recall.minScore', half],
  ],
};

/**
 * Tries other values of settings that the host's function reads from its policy: sampling, effort, what to recall, when
 * to compact, length of the context and of the answer. Only settings that the host set itself, because the others may be read by nothing.
 */
export const modelSettings: CatalogEntry = {
  name: 'other-model-settings',
  match: ({ kind, issue }, { own = {} }) =>
    kind === 'failure' && stepsFor(issue).some(([name]) => own[name] !== undefined),
  propose: (pattern, context) => stepsFor(pattern.issue).flatMap((step) => candidateOf(step, pattern, context)),
};

/** Returns the steps for an issue, which can be any text, such as `constructor`. */
function stepsFor(issue: string): (typeof STEPS)[string] & {} {
  return (Object.hasOwn(STEPS, issue) ? STEPS[issue] : undefined) ?? [];
}

function candidateOf(
  [name, next]: readonly [SettingName, Step],
  { issue, count }: Pattern,
  { policy, own = {} }: CatalogContext,
) {
  const [now, value] = [policy[name], next(policy[name])];
  if (own[name] === undefined || value === undefined) return [];
  const reason = `${issue} came back ${count} times with ${name} at ${String(now)}: ${String(value)} may prevent it`;
  return [{ set: { [name]: value } as Settings, safe: true, reason }]; // a value of the setting's own type
}
