import type { Skill } from '../../../integrations/skills/skill.js';
import { skillOf } from '../../../integrations/skills/skill-files.js';

/** Returns a small skill whose tests count as passed. */
export function workingSkill(about: Pick<Skill, 'name' | 'description'> & { readonly whenNot?: string }): Skill {
  const content = {
    ...about,
    body: `# ${about.name}\n`,
    code: { language: 'javascript', text: `export default (input) => input; // ${about.name}\n` },
    input: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'], additionalProperties: false },
    tests: [1, 2].map((a) => ({ input: { a }, output: { a }, hidden: a === 2 })),
  } as const;
  return { ...skillOf(content), version: 1, status: 'working' };
}
