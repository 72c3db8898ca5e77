import type { RuleFile } from '../contract/change.js';
import { LoopError } from '../contract/errors.js';

/** File of the workspace for each kind of rule. */
export type RulePaths = Readonly<Record<RuleFile, string>>;

const RULE_PATHS: RulePaths = { SOUL: 'SOUL.md', AGENTS: 'AGENTS.md', TOOLS: 'TOOLS.md' };

/**
 * Returns the default paths, overridden by the given ones.
 * @throws LoopError `invalid-input` naming the first invalid name or path.
 */
export function readRulePaths(paths: Partial<RulePaths> = {}): RulePaths {
  const all = { ...RULE_PATHS, ...paths };
  for (const [name, path] of Object.entries(all)) {
    if (NAME.test(name) && typeof path === 'string' && path !== '') continue;
    throw new LoopError(
      'invalid-input',
      `ruleFiles: ${JSON.stringify(name.slice(0, 40))} is not a name of a file for rules with a path: give letters and digits, and the path of a Markdown file`,
    );
  }
  return all as RulePaths; // every path was checked
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,39}$/u;
