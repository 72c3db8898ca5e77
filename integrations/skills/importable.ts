import { recordedText } from 'rsi-loop/kit';
import type { Labelled } from './ask-model.js';
import type { Registry } from './registry.js';
import { asksForAccess, type SkillSummary } from './skill.js';

/** Most skills that a request lists. */
const MOST = 8;
const MAX_BYTES = 160;

/**
 * Returns the skills of the folder that new code may import, for its writer: nearest to the directive first, each with
 * the hash that pins it. Only code that is offered to agents and asks for no access.
 */
export async function importableFor(
  registry: Registry,
  directive: string,
  self?: string,
): Promise<readonly Labelled[]> {
  const isOpen = ({ name, language, asks }: SkillSummary) =>
    name !== self && (language === 'javascript' || language === 'typescript') && !asksForAccess(asks);
  const found = await registry.search().nearest(directive, { limit: MOST, least: 0, isOpen });
  if (found.length === 0) return [];
  const lines = found.map(
    ({ entry: { name, hash, description } }) => `'skill:${name}@${hash}': ${recordedText(description, MAX_BYTES)}`,
  );
  return [['skills to import', lines.join('\n')]];
}
