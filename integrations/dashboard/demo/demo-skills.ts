import type { KeptSkill, ListedSkill } from 'rsi-loop/skills/core';
import type { SkillSource } from '../data/skill-source.js';

const HOUR_MS = 3_600_000;
const OLD = 'const amounts = lines.map((line) => Number(line.split(",")[1]));';
const NEW = 'const amounts = lines.map((line) => Number(line.split(/[;,]/)[1]));';

/** Returns the hash of a version of the demo: the same digits in every run. */
function hashOf(seed: number): string {
  return Array.from({ length: 64 }, (_, at) => ((seed * 7 + at * (seed + 3)) % 16).toString(16)).join('');
}

function version(name: string, number: number, fields: Partial<KeptSkill> = {}): KeptSkill {
  return {
    name,
    description: '',
    body: `# ${name}\n\nCall it with an input that matches the schema.`,
    tests: [],
    files: new Map(),
    version: number,
    hash: hashOf(name.length + number),
    status: 'working',
    role: 'current',
    ...fields,
  };
}

/** Skills of the simulated agent: one with a working child, one that its trial withdrew, and instructions. */
function demoVersions(): readonly (readonly KeptSkill[])[] {
  const tests = [2, 5, 9, 14].map((n, at) => ({
    input: { csv: `net,${n}\ntax,1` },
    output: { total: n + 1 },
    hidden: at % 2 === 0,
  }));
  const total = { description: 'Totals the amounts of an invoice. Use for CSV exports.', whenNot: 'currencies', tests };
  const code = (line: string) => ({
    language: 'javascript' as const,
    text: `export default ({ csv }) => {\n  ${line}\n};`,
  });
  const first = version('invoice-total', 1, { ...total, code: code(OLD), role: 'older', status: 'failed' });
  return [
    [first, version('invoice-total', 2, { ...total, code: code(NEW), parent: first.hash })],
    [
      version('letter-date', 1, {
        description: 'Writes the date of a letter.',
        code: code('return csv;'),
        deprecated: 'its trial was rolled back (failed)',
      }),
    ],
    [version('letter-style', 1, { description: 'Says how letters to customers are worded.' })],
  ];
}

/** Creates the skills of the demo. `nowMs` is the end of the simulated week. */
export function demoSkills(nowMs: number): SkillSource {
  const versions = demoVersions();
  const calls = [
    [412, 9],
    [64, 31],
  ];
  const skills = versions.map((all, at): ListedSkill => {
    const { role: _, code, tests, ...skill } = all.at(-1) ?? version('none', 1);
    const [count, failures = 0] = calls[at] ?? [];
    const hidden = tests.filter((test) => test.hidden).length;
    const isActive = skill.deprecated === undefined;
    return {
      ...skill,
      ...(code && { language: code.language }),
      ...(count && {
        use: { calls: count, failures, sinceMs: nowMs - 90 * HOUR_MS, lastMs: nowMs - HOUR_MS, alarm: [0, 0] },
      }),
      tests: { open: tests.length - hidden, hidden },
      otherFiles: 0,
      isActive,
      isOffered: isActive,
    };
  });
  return {
    name: './.agents/skills',
    list: async () => ({ skills, rejected: [] }),
    read: async (name) => {
      const at = skills.findIndex((skill) => skill.name === name);
      const listed = skills[at];
      return listed && { listed, versions: versions[at] ?? [] };
    },
    stamp: async () => '',
  };
}
