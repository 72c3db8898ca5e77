import { describe, expect, it, vi } from 'vitest';
import { FORMER_NAMES, HINTS } from '../../../integrations/cli/hints.js';
import { programOf } from '../../../integrations/cli/program.js';
import { DAILY, findRow, GROUPS } from '../../../integrations/cli/table.js';
import { columns } from '../../../integrations/cli/terminal/terminal-text.js';
import { helpOf } from '../../../scripts/numbers/front-door.js';

const program = await programOf(() => {});

const EXAMPLE = /^ {2}npx rsi (.+?)(?: {2,}.*)?$/;

/** The words of the examples in a help text, as a shell would hand them over. */
function examplesIn(help: string): string[][] {
  const [, lines = ''] = help.split('\nExamples:\n');
  return lines
    .split('\n')
    .flatMap((line) => EXAMPLE.exec(line)?.[1] ?? [])
    .map((words) => words.split(/ [|>] /)[0] ?? '')
    .map((words) => [...words.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? ''));
}

describe('the help of rsi', () => {
  it('has every verb on one line, under what it is for', () => {
    const help = helpOf(program);
    for (const verb of program.commands) {
      expect(help).toMatch(new RegExp(`^ {2}${verb.name()}( .*)? {2,}\\S`, 'm'));
      expect(help).toContain(verb.summary());
    }
    expect(help.match(/^[A-Z].*:$/gm)?.length).toBeGreaterThan(6);
  });

  it.for(['rsi', ...program.commands.map((verb) => verb.name())])(
    'fits a terminal, and ends with examples: %s',
    async (name) => {
      for (const width of [60, 80]) {
        const sized = await programOf(() => {}, { width });
        const lines = helpOf(sized.commands.find((verb) => verb.name() === name) ?? sized).split('\n');
        expect(lines.filter((line) => columns(line) > width)).toEqual([]);
      }
      const help = helpOf(program.commands.find((verb) => verb.name() === name) ?? program);
      expect(examplesIn(help).length).toBeGreaterThan(0);
    },
  );

  it('shows only examples that rsi understands', async () => {
    const tried = program.commands.flatMap((verb) =>
      examplesIn(helpOf(verb)).map((args) => ({ verb: verb.name(), args })),
    );
    expect(tried.length).toBeGreaterThan(30);
    for (const { verb, args } of tried) {
      const done = vi.fn();
      const fresh = await programOf(() => {});
      for (const command of fresh.commands) command.action(done).exitOverride();
      await fresh.parseAsync(args, { from: 'user' });
      expect(args[0]).toBe(verb);
      expect(done).toHaveBeenCalledOnce();
    }
  });

  it('lists the twelve verbs of the daily work, and says how to see the others', async () => {
    const daily = await programOf(() => {}, { groups: DAILY });
    expect(daily.commands.map((verb) => verb.name())).toHaveLength(12);
    expect(helpOf(daily)).toContain('help all lists every verb');
    expect(helpOf(daily).split('\n').length).toBeLessThan(40);
  });

  it('hints only at verbs that exist, from words that are none', () => {
    for (const [word, commands] of Object.entries(HINTS)) {
      expect(findRow(word), word).toBeUndefined();
      for (const command of [commands].flat()) {
        if (!command.startsWith('-')) expect(findRow(command.split(/[ ,]/)[0]), command).toBeDefined();
      }
    }
  });

  it('leads from --help to an answer for each task of the first day', async () => {
    const help = helpOf(await programOf(() => {}, { groups: DAILY }));
    const tasks = {
      'what fails in these logs': /analyze \[path\.\.\.\] +show what fails most in existing logs/,
      'is my new prompt better': /npx rsi bench --help +is a new prompt or model better\?/,
      'stop everything': /npx rsi freeze +stop everything/,
      'who decided this': /explain <id> +.*who decided/,
      'add it to CI': /ci <report\.\.\.> +tell new test failures from flaky ones/,
      'remove every trace': /npx rsi init --undo +remove every hook[\s\S]*\.\/rsi_data, which you can delete/,
    };
    for (const [task, line] of Object.entries(tasks)) expect(help, task).toMatch(line);
    expect(['stop', 'kill', 'halt', 'off', 'disable'].map((word) => HINTS[word])).toEqual(Array(5).fill('freeze'));
    expect(HINTS.remove).toEqual(['init --undo', 'erase']);
  });

  it('says what a missing argument is', async () => {
    const printed: string[] = [];
    const fresh = await programOf(() => {});
    for (const command of fresh.commands)
      command.exitOverride().configureOutput({ writeErr: (text) => printed.push(text) });
    await expect(fresh.parseAsync(['prove'], { from: 'user' })).rejects.toThrow();
    expect(printed.join('').replace(/\s+/g, ' ')).toContain(
      `missing required argument 'file', Markdown files that an agent reads, folders of them, and folders of skills; "npx rsi prove --help" says more`,
    );
  });

  it('gives no word to two verbs, also as an earlier name', () => {
    const words = GROUPS.flatMap(({ rows }) => rows.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
    expect(words).toEqual([...new Set(words)]);
    expect(Object.keys(FORMER_NAMES).filter((word) => findRow(word) !== undefined)).toEqual([]);
    expect(Object.values(FORMER_NAMES).filter((name) => findRow(name) === undefined)).toEqual([]);
  });
});
