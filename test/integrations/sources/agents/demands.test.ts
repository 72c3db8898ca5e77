import { describe, expect, it } from 'vitest';
import { type Demand, demandOf, followed, stepsOf } from '../../../../integrations/sources/agents/demands.js';

const LINES = [
  '- Be brief.',
  '- Never run `git push`.',
  '- The tests are in `test/`.',
  '- Run the tests in `test/`.',
  'Read the tables and columns of the database before writing the query.',
  'Run git commands that write one after another, and check that no git process runs.',
  'Before you send a call that carries an order_id, look the order up.',
];

/** Calls of a session, as `[tool, input]`. */
type Calls = readonly (readonly [tool: string, input: object, outcome?: 'failed'])[];

function signOf(line: string, calls: Calls): string | undefined {
  const demand = demandOf(line);
  if (!demand) return undefined;
  const demands: readonly Demand[] = [demand];
  return followed(
    demands,
    calls.flatMap(([tool, input, outcome]) => stepsOf({ tool, input, hasFailed: outcome === 'failed' }, demands)),
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

  it('counts an edit that the agent refused because the file was not read, and no file that the agent wrote itself', () => {
    const line = 'Before you edit or overwrite an existing file, read that file in the same session.';
    expect(signOf(line, [read('b.ts'), [...edit('a.ts'), 'failed'], read('a.ts'), edit('a.ts')])).toBe('n');
    expect(signOf(line, [read('b.ts'), ['Write', { file_path: 'new.ts', content: '' }], edit('new.ts')])).toBe('y');
  });

  it('says nothing about reading for an agent that reads files by commands', () => {
    const line = '- Read a file before you edit it.';
    expect(signOf(line, [bash('cat a.ts'), edit('a.ts')])).toBe('-');
    expect(signOf(line, [read('b.ts'), ['apply_patch', { input: '*** Begin Patch' }]])).toBe('-');
  });

  it('shows for files that must be read again between two edits', () => {
    const line =
      'If you or a command changed a file after you read it, read the part you want to replace again before the next edit of that file.';
    expect(signOf(line, [read('a.ts'), edit('a.ts'), read('a.ts'), edit('a.ts')])).toBe('y');
    expect(signOf(line, [read('a.ts'), edit('a.ts'), edit('a.ts')])).toBe('n');
    expect(signOf(line, [read('a.ts'), edit('a.ts'), edit('b.ts')])).toBe('-');
  });

  it('shows for a tool that must be called, also behind the name of its server', () => {
    const line = 'When you work on “refund”, call find_order before you answer.';
    expect(signOf(line, [['find_order', {}]])).toBe('y');
    expect(signOf(line, [['mcp__shop__find_order', {}]])).toBe('y');
    expect(signOf(line, [['refund', { order: 1 }]])).toBe('n');
    expect(demandOf('When an order is cancelled, call find_order before you answer.')).toBeUndefined();
  });

  it('reads commands without code marks, because a rule holds no code', () => {
    for (const line of ['Run npm test before you say that you are done.', 'Run “npm test” before you are done.'])
      expect(demandOf(line)).toEqual({ kind: 'run', command: 'npm test' });
    const prefer = 'Use pnpm instead of npm for every install.';
    expect(demandOf(prefer)).toEqual({ kind: 'prefer', use: 'pnpm', instead: 'npm' });
    expect(signOf('Run npm test before you are done.', [edit('a.ts'), [...bash('npm test'), 'failed']])).toBe('y');
    expect(signOf('Run npm test before you are done.', [edit('a.ts'), ['Bash', {}]])).toBe('-');
  });

  it('does not guess for lines that calls cannot show, or that forbid a command', () => {
    for (const line of LINES) expect(demandOf(line)).toBeUndefined();
  });

  it('shows whether a skill was opened', () => {
    const demands: readonly Demand[] = [{ kind: 'open', path: 'pdf/SKILL.on-trial.md' }];
    const of = ([tool, input]: readonly [string, object]) =>
      followed(demands, stepsOf({ tool, input }, demands)).join('');
    expect(of(read('/p/.claude/skills/pdf/SKILL.on-trial.md'))).toBe('y');
    expect(of(bash('cat .claude/skills/pdf/SKILL.on-trial.md'))).toBe('y');
    expect(of(read('/p/readme.md'))).toBe('n');
  });
});
