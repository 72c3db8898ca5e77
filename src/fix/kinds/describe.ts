import type { PolicyChange, RuleChange } from '../../contract/change.js';
import type { FixWords } from '../../contract/change-kind.js';
import type { FixOf } from '../../contract/fix.js';
import type { Json } from '../../contract/json.js';
import { settingsInWords } from './setting-words.js';

/** Describes a fix of kind `policy`. */
export function describePolicy({ change }: FixOf<PolicyChange>): FixWords {
  const { undo } = change;
  return {
    title: settingsInWords(change),
    undo: Object.entries(undo)
      .map(([name, value]) => `${name} ${value === null ? 'unset' : `back to ${shownSetting(value)}`}`)
      .join(', '),
    inForce: 'it applies to every task that begins now',
    rolledBack: 'the earlier settings apply again',
  };
}

function shownSetting(value: Json): string {
  const text = JSON.stringify(value);
  return text === '{}' || text === '[]' ? 'none' : text;
}

/** Describes a fix of kind `rule`. */
export function describeRule({ change: { text, file }, written }: FixOf<RuleChange>): FixWords {
  return {
    title: `rule for ${file}: ${text}`,
    undo: `removes the rule from ${file}`,
    inForce: written
      ? `the rule is in ${written.path}`
      : `every session gets the rule, and the next cycle of a loop with a workspace writes it into ${file}`,
    rolledBack: written
      ? `the next cycle of the loop removes the rule from ${written.path}`
      : 'sessions do not get the rule any more',
  };
}
