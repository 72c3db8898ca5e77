import { describe, expect, it } from 'vitest';
import { type Demand, demandOf, followed, stepsOf } from '../../../integrations/cli/prove/demands.js';

/** Calls of a session, as `[tool, input]`. */
type Calls = readonly (readonly [string, object])[];

function signOf(line: string, calls: Calls): string | undefined {
  const demand = demandOf(line);
  if (!demand) return undefined;
  const demands: readonly Demand[] = [demand];
  return followed(
    demands,
    calls.flatMap(([tool, input]) => stepsOf(tool, input, demands)),
  ).join('');
}

const edit = (path: string) => ['Edit', { file_path: path, old_string: 'a', new_string: 'b' }] as const;
const bash = (command: string) => ['Bash', { command }] as const;
const read = (path: string) => ['Read', { file_path: path }] as const;

describe('whether the calls of a session follow a line', () => {
  it('shows for a command that must run after edits, and only if something was edited', () => {
    const line = '- Run `npm test` before you say that you are done.';
    expect(signOf(line, [edit('a.ts'), bash('cd app && npm test -- a')])).toBe('y');
    expect(signOf(line, [bash('npm test'), edit('a.ts')])).toBe('n');
    expect(signOf(line, [['Write', { file_path: 'new.ts', content: '' }]])).toBe('n');
    expect(signOf(line, [edit('a.ts'), bash('npm test-all')])).toBe('n');
    expect(signOf(line, [bash('npm test')])).toBe('-');
  });

  it('shows for one command in place of another', () => {
    const line = '- Use `pnpm`, not `npm`.';
    expect(signOf(line, [bash('pnpm install')])).toBe('y');
    expect(signOf(line, [bash('pnpm install'), bash('npm run build')])).toBe('n');
    expect(signOf(line, [bash('ls')])).toBe('-');
  });

  it('shows for files that must be read before they are edited', () => {
    const line = '- Read a file before you edit it.';
    expect(signOf(line, [read('a.ts'), edit('a.ts')])).toBe('y');
    expect(signOf(line, [read('b.ts'), edit('a.ts')])).toBe('n');
    expect(signOf(line, [read('a.ts')])).toBe('-');
  });

  it('does not guess for lines that calls cannot show, or that forbid a command', () => {
    for (const line of ['- Be brief.', '- Never run `git push`.', '- The tests are in `test/`.'])
      expect(demandOf(line)).toBeUndefined();
  });

  it('shows whether a skill was opened', () => {
    const demands: readonly Demand[] = [{ kind: 'open', path: 'pdf/SKILL.on-trial.md' }];
    const of = ([tool, input]: readonly [string, object]) => followed(demands, stepsOf(tool, input, demands)).join('');
    expect(of(read('/p/.claude/skills/pdf/SKILL.on-trial.md'))).toBe('y');
    expect(of(bash('cat .claude/skills/pdf/SKILL.on-trial.md'))).toBe('y');
    expect(of(read('/p/readme.md'))).toBe('n');
  });
});
