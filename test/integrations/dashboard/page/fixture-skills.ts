import type { SkillRow, SkillsView, SkillView } from '../../../../integrations/dashboard/skill-views.js';
import { HOUR_MS, NOW_MS, type Recorded } from './fixture-fixes.js';

function rows(recorded: Recorded): readonly SkillRow[] {
  const of = { language: 'javascript', version: 1, hash: '378327bd77d7', calls: 0, failures: 0 };
  return [
    {
      ...of,
      name: 'csv-total',
      description: recorded('Totals the numbers of a column of a CSV.'),
      state: 'working',
      version: 2,
      parent: '0d0ea2e2c01f',
      calls: 120,
      failures: 3,
      lastMs: NOW_MS - HOUR_MS,
      proof: { id: 'f-ok', status: 'confirmed' },
    },
    {
      ...of,
      name: 'invoice-date',
      description: recorded('Writes the date of an invoice.'),
      state: 'deprecated',
      reason: recorded('its trial was rolled back (failed)'),
      calls: 9,
      failures: 4,
      proof: { id: 'f-trial', status: 'rolled-back' },
    },
    { ...of, name: 'title-slug', description: recorded('Turns a title into a slug.'), state: 'failed' },
    {
      ...of,
      name: 'house-style',
      description: recorded('Says how letters are worded.'),
      state: 'instructions',
      language: 'instructions',
    },
  ];
}

export function skillsView(recorded: Recorded): SkillsView {
  const rejected = [{ name: 'linked', problem: recorded('skill linked: SKILL.md is a link') }];
  return { folder: recorded('./.agents/skills'), skills: rows(recorded), rejected };
}

export function skillView(recorded: Recorded, name: string): SkillView | undefined {
  const row = rows(recorded).find((one) => one.name === name);
  if (!row) return undefined;
  return {
    row,
    whenNot: recorded('subtotals for each category'),
    body: recorded('# csv-total\n\nCall it with a CSV.'),
    asks: recorded('{"hosts":["api.example.com"]}'),
    tests: [1, 2, 3].map((n) => ({
      input: recorded(`{"csv":"a,${n}"}`),
      output: recorded(`{"total":${n}}`),
      hidden: n % 2 === 0,
    })),
    omitted: 0,
    versions: [
      { version: 1, hash: '0d0ea2e2c01f', depth: 0, role: 'older', state: 'failed' },
      { version: 2, hash: '378327bd77d7', depth: 1, role: 'current', state: 'working' },
      { version: 3, hash: '5889250b2d15', depth: 2, role: 'candidate', state: 'working' },
    ],
    compared: {
      version: '378327bd77d7',
      parent: '0d0ea2e2c01f',
      change: [{ name: 'code', before: recorded('export default () => 1'), after: recorded('export default () => 2') }],
    },
    certificate: {
      problems: [],
      facts: {
        task: recorded('answer'),
        fixId: 'f-ok',
        eValue: 44.3,
        needed: 40,
        fix: { tasks: 120, failures: 3 },
        control: { tasks: 118, failures: 40 },
        atMs: NOW_MS - HOUR_MS,
      },
    },
  };
}
