import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { ProcessSandbox, QuickJsSandbox, type Sandbox } from 'rsi-loop/sandbox';
import { checkSkill, openSkills } from 'rsi-loop/skills';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.js';

const LIB = `export const rows = (csv: string): number[] => csv.split('\\n').map((line) => Number(line.split(',')[1]));
export default (input: { csv: string }) => rows(input.csv).length;`;

/** Opens a folder with a function that writes a skill. */
function opened(folder = temporaryFolder()) {
  const loop = new RSILoop();
  const skills = openSkills(loop, { folder });
  onTestFinished(async () => {
    await skills.close();
    await loop.close();
  });
  /** Writes a skill with its tests, and returns its hash. */
  const write = async (name: string, code: string, output: number, file = 'main.js') => {
    const place = join(folder, name);
    mkdirSync(join(place, 'scripts'), { recursive: true });
    writeFileSync(join(place, 'SKILL.md'), `---\nname: ${name}\ndescription: does ${name}\n---\n`);
    writeFileSync(join(place, 'scripts', file), code);
    const tests = [false, true].map((hidden) => ({ input: { csv: 'a,1\nb,2' }, output, hidden }));
    writeFileSync(join(place, 'tests.json'), JSON.stringify({ format: 'rsi-skill-tests/1', tests }));
    return (await skills.show(name)).hash;
  };
  return { folder, skills, write };
}
const importing = (hash: string, code = 'rows(input.csv).reduce((a, b) => a + b)') =>
  `import { rows } from 'skill:csv-lib@${hash}';\nexport default (input) => ${code};`;

describe('code that skills share', () => {
  it('is imported by hash, and stays the same when the other skill changes', async () => {
    const { folder, skills, write } = opened();
    const hash = await write('csv-lib', LIB, 2, 'main.ts');
    await write('csv-sum', importing(hash), 3);
    const untested = await skills.test('csv-sum');
    expect(JSON.stringify(untested)).toContain('is untested: run its tests with rsi skill test csv-lib');
    expect(await skills.test('csv-lib')).toMatchObject({ working: true, failures: [] });
    expect(await skills.test('csv-sum')).toMatchObject({ working: true, failures: [] });
    expect(await skills.call('csv-sum', { csv: 'a,1\nb,4' })).toBe(5);
    expect(await checkSkill(join(folder, 'csv-sum'))).toMatchObject({ ok: true, state: 'tested' });
    const unknown = await write('csv-other', importing('0'.repeat(64)), 3);
    expect(unknown).not.toBe(hash);
    expect(JSON.stringify(await skills.test('csv-other'))).toContain('has no version csv-lib@000000000000');
    // An edit by hand is another version, which nothing imports yet.
    expect(await write('csv-lib', LIB.replace('[1]', '[0]'), 2, 'main.ts')).not.toBe(hash);
    const again = opened(folder);
    expect(await again.skills.call('csv-sum', { csv: 'a,1\nb,4' })).toBe(5);
  });

  it.each<[string, () => Sandbox]>([
    ['QuickJS', () => new QuickJsSandbox()],
    ['a process', () => new ProcessSandbox()],
  ])('runs in %s with modules of modules, and without any other', async (_, create) => {
    const sandbox = create();
    onTestFinished(() => sandbox.close());
    const modules = {
      'skill:a@1': {
        language: 'typescript',
        code: `import { two } from "skill:b@2"; export const three: number = two + 1;`,
      },
      'skill:b@2': { language: 'javascript', code: 'export const two = 2;' },
    } as const;
    const run = (code: string) => sandbox.run({ language: 'javascript', code, hash: code, modules }, null);
    expect(await run(`import { three } from 'skill:a@1'; export default () => three;`)).toMatchObject({ output: 3 });
    expect(await run(`import { x } from 'skill:c@3'; export default () => x;`)).toMatchObject({ kind: 'failed' });
    const broken = { 'skill:a@1': { language: 'typescript', code: 'export const a: = 1' } } as const;
    const code = `import { a } from 'skill:a@1'; export default () => a;`;
    expect(await sandbox.run({ language: 'javascript', code, hash: code, modules: broken }, null)).toMatchObject({
      reason: 'error',
    });
  });
});
