import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import { type FiledFix, RuleFiles } from '../../src/fix/rule-files.js';
import { readRulePaths } from '../../src/fix/rule-paths.js';
import { BEGIN, END, NOTE } from '../../src/fix/rules/section.js';
import { settleRule } from '../../src/fix/rules/settle-rule.js';
import { AgentFiles } from '../scenarios/agent-files.js';
import { ruleChange, someFix } from './fixtures.js';

const DAY_MS = 86_400_000;
const TEXT = 'Compare the totals of the report with the invoice.';
const AGENTS = '# Agent\n';
const line = (id: string, text = TEXT) => `- ${text} <!-- rsi-loop:rule ${id} 1970-01-02 rsi explain ${id} -->\n`;
const section = (...lines: string[]) => `${AGENTS}${BEGIN}\n${NOTE}\n${lines.join('')}${END}\n`;
const WRITTEN = section(line('fix-1'));
const none = () => 0;

/** Files whose reading and writing may fail. */
class FaultyFiles extends AgentFiles {
  fault: string | undefined;

  override async read(path: string) {
    if (this.fault !== undefined) throw new Error(this.fault);
    return super.read(path);
  }
}

function setUp(texts: Readonly<Record<string, string>> = { 'AGENTS.md': AGENTS }, names?: string[]) {
  const problems: string[] = [];
  const workspace = new FaultyFiles(texts, names);
  const files = new RuleFiles({ workspace, report: (message) => problems.push(message) });
  return { files, workspace, problems, text: (path = 'AGENTS.md') => workspace.texts.get(path) };
}

const rule = (parts: Partial<Fix> = {}, file = 'AGENTS'): FiledFix & Fix => ({
  ...someFix(ruleChange({ text: TEXT, file }), { status: 'confirmed', ...parts }),
  change: ruleChange({ text: TEXT, file }),
});
const written = (path = 'AGENTS.md') => ({ written: { path, atMs: 1 } });

describe('the files for rules', () => {
  it('are three, with paths of the user, and more of any name', () => {
    expect(readRulePaths()).toEqual({ SOUL: 'SOUL.md', AGENTS: 'AGENTS.md', TOOLS: 'TOOLS.md' });
    expect(readRulePaths({ AGENTS: 'docs/AGENTS.md', 'Ünit.2_b-c': 'x.md' })).toMatchObject({
      AGENTS: 'docs/AGENTS.md',
      'Ünit.2_b-c': 'x.md',
    });
    expect(new RuleFiles({ report: () => {}, paths: { ...readRulePaths(), MINE: 'm.md' } }).names).toEqual([
      ...['SOUL', 'AGENTS', 'TOOLS', 'MINE'],
    ]);
  });

  it.for<[string, unknown]>([
    ['', 'x.md'],
    ['.hidden', 'x.md'],
    ['a b', 'x.md'],
    ['n'.repeat(41), 'x.md'],
    ['MINE', ''],
    ['MINE', 4],
    ['MINE', undefined],
  ])('are rejected by name: %j with path %j', ([name, path]) => {
    expect(() => readRulePaths({ [name]: path } as Record<string, string>)).toThrow(
      `ruleFiles: ${JSON.stringify(name.slice(0, 40))} is not a name of a file for rules with a path`,
    );
  });

  it('may have names of 40 characters', () => {
    expect(readRulePaths({ ['n'.repeat(40)]: 'x.md' })).toHaveProperty('n'.repeat(40), 'x.md');
  });
});

describe('reading the files of an agent', () => {
  it('finds the rules of each, and nothing in files that are not there', async () => {
    const { files, problems } = setUp({ 'AGENTS.md': '- Be brief.\n', 'SOUL.md': '- Be calm.\n' }, [
      ...['AGENTS.md', 'TOOLS.md'],
    ]);
    expect(files.existing('AGENTS')).toEqual([]);
    await files.refresh();
    expect(files.existing('AGENTS')).toEqual(['Be brief.']);
    expect(files.existing('AGENTS')).toBe(files.existing('AGENTS'));
    expect([files.existing('SOUL'), files.existing('TOOLS'), files.existing('NOTES')]).toEqual([[], [], []]);
    expect(problems).toEqual([]);
  });

  it('forgets a file that cannot be read, and reports each reason once, until the file is back', async () => {
    const { files, workspace, problems } = setUp({ 'AGENTS.md': '- Be brief.\n' });
    await files.refresh();
    workspace.fault = 'no permission';
    await files.refresh();
    await files.refresh();
    expect(files.existing('AGENTS')).toEqual([]);
    expect(problems).toEqual(['AGENTS.md cannot be read: no permission']);
    workspace.fault = 'disk gone';
    await files.refresh();
    workspace.fault = undefined;
    await files.refresh();
    expect(files.existing('AGENTS')).toEqual(['Be brief.']);
    workspace.fault = 'disk gone';
    await files.refresh();
    expect(problems.slice(1)).toEqual(Array(2).fill('AGENTS.md cannot be read: disk gone'));
  });

  it('does nothing without a workspace', async () => {
    const files = new RuleFiles({ report: () => {} });
    await files.refresh();
    expect(files.isWritable('AGENTS')).toBe(false);
    expect(await files.write(rule(), 0, none)).toEqual({ kind: 'nowhere' });
    expect(files.diff(rule(), DAY_MS, none)).toContain('+++ b/AGENTS.md');
  });

  it('shows whether a person removed a rule, if the file could be read', async () => {
    const { files, workspace } = setUp({ 'AGENTS.md': WRITTEN });
    expect(files.isGone(rule(written()))).toBeUndefined();
    await files.refresh();
    expect(files.isGone(rule(written()))).toBe(false);
    expect(files.isGone(rule({ id: 'fix-2' as FixId, ...written() }))).toBe(true);
    expect(files.isGone(rule())).toBeUndefined();
    workspace.texts.set('AGENTS.md', WRITTEN.replace(END, ''));
    await files.refresh();
    expect(files.isGone(rule(written()))).toBeUndefined();
  });
});

describe('writing a rule', () => {
  it('puts it into its file with its day, and takes it out again', async () => {
    const { files, text } = setUp();
    expect(await files.write(rule(), DAY_MS, none)).toEqual({ kind: 'done', path: 'AGENTS.md', retired: [] });
    expect(text()).toBe(WRITTEN);
    expect(files.existing('AGENTS')).toEqual([TEXT]);
    expect(await files.remove(rule(written()))).toEqual({ kind: 'done', path: 'AGENTS.md', retired: [] });
    expect(text()).toBe(AGENTS);
    expect(await files.remove(rule(written()))).toEqual({ kind: 'done', path: 'AGENTS.md', retired: [] });
  });

  it('shows before what it would change', async () => {
    const { files } = setUp();
    await files.refresh();
    const diff = files.diff(rule(), DAY_MS, none);
    expect(diff).toBe(
      `--- a/AGENTS.md\n+++ b/AGENTS.md\n@@ -1 +1,5 @@\n # Agent\n+${BEGIN}\n+${NOTE}\n+${line('fix-1')}+${END}\n`,
    );
    await files.write(rule(), DAY_MS, none);
    expect(files.diff(rule(), DAY_MS, none)).toBe('');
    expect(files.diff(rule(written()), DAY_MS, none)).toContain(`-${line('fix-1')}`);
    expect(files.diff(rule({}, 'NOTES'), DAY_MS, none)).toContain('+++ b/NOTES\n');
  });

  it('removes the least useful rules from a full section, and names them', async () => {
    const long = (id: string) => line(id, `${'long '.repeat(390)}rule.`);
    const { files, text } = setUp({ 'AGENTS.md': section(...['a', 'b', 'c', 'd'].map(long)) });
    const worth = ({ id }: { readonly id: string }) => (id === 'c' ? 0 : 1);
    expect(await files.write(rule(), DAY_MS, worth)).toEqual({ kind: 'done', path: 'AGENTS.md', retired: ['c'] });
    expect(text()).toBe(section(...['a', 'b', 'd'].map(long), line('fix-1')));
  });

  it('waits if another program changed the file meanwhile, and says so once', async () => {
    const { files, workspace, problems, text } = setUp();
    for (const own of ['mine\n', 'mine\nand mine\n']) {
      workspace.between = () => workspace.texts.set('AGENTS.md', own);
      expect(await files.write(rule(), DAY_MS, none)).toEqual({ kind: 'not-now' });
    }
    expect(text()).toBe('mine\nand mine\n');
    expect(problems).toEqual(['AGENTS.md was changed meanwhile: rule fix-1 is tried again']);
    expect(files.diff(rule(), DAY_MS, none)).toContain(' and mine\n');
    await files.write(rule(), DAY_MS, none);
    await files.remove(rule(written()));
    workspace.between = () => workspace.texts.set('AGENTS.md', 'again\n');
    await files.write(rule(), DAY_MS, none);
    expect(problems).toHaveLength(2);
  });

  it('waits if the section is damaged, or the file cannot be read', async () => {
    const { files, workspace, problems } = setUp({ 'AGENTS.md': BEGIN });
    expect(await files.write(rule(), DAY_MS, none)).toEqual({ kind: 'not-now' });
    workspace.fault = 'no permission';
    expect(await files.write(rule(), DAY_MS, none)).toEqual({ kind: 'not-now' });
    expect(problems).toEqual([
      expect.stringMatching(/^rule fix-1 and AGENTS\.md: line 1 begins a section that nothing ends/),
      'rule fix-1 and AGENTS.md: no permission',
    ]);
  });

  it('has nowhere to go in files that the workspace does not list', async () => {
    const { files } = setUp();
    expect(await files.write(rule({}, 'TOOLS'), DAY_MS, none)).toEqual({ kind: 'nowhere' });
    expect(await files.write(rule({}, 'NOTES'), DAY_MS, none)).toEqual({ kind: 'nowhere' });
    expect(await files.remove(rule())).toEqual({ kind: 'nowhere' });
  });
});

describe('a rule is settled', () => {
  const facts = (parts: object = {}) => ({
    ...{ atMs: DAY_MS, isInForce: true, mayWrite: true, inForce: () => undefined },
    ...parts,
  });
  const stamp = { atMs: DAY_MS, by: 'auto', fixId: 'fix-1' };
  const settled = async (world: ReturnType<typeof setUp>, fix: Fix & FiledFix, parts: object = {}) => {
    await world.files.refresh();
    return settleRule(fix, facts(parts), world.files, none);
  };

  it('by writing it once it is in force, unless the loop is frozen', async () => {
    const world = setUp();
    expect(await settled(world, rule(), { mayWrite: false })).toEqual([]);
    expect(await settled(world, rule(), { isInForce: false })).toEqual([]);
    expect(world.text()).toBe(AGENTS);
    expect(await settled(world, rule())).toEqual([{ kind: 'change-written', ...stamp, path: 'AGENTS.md' }]);
    expect(await settled(world, rule(written()))).toEqual([]);
    expect(world.text()).toBe(WRITTEN);
  });

  it('by removing it once it is rolled back, even while the loop is frozen', async () => {
    const world = setUp({ 'AGENTS.md': WRITTEN });
    const removed = [{ kind: 'change-removed', ...stamp, path: 'AGENTS.md' }];
    expect(await settled(world, rule(written()), { isInForce: false, mayWrite: false })).toEqual(removed);
    expect(world.text()).toBe(AGENTS);
    expect(await settled(world, rule(written('OTHER.md')), { isInForce: false })).toEqual([]);
  });

  it('by rolling it back if a person removed its line', async () => {
    expect(await settled(setUp(), rule(written()))).toEqual([
      {
        ...{ kind: 'fix-moved', atMs: DAY_MS, by: 'workspace', fixId: 'fix-1', to: 'rolled-back' },
        reason: 'a person removed it from AGENTS.md',
      },
      { kind: 'change-removed', ...stamp, path: 'AGENTS.md' },
    ]);
  });

  it('later, if its file cannot be edited now', async () => {
    const world = setUp();
    world.workspace.between = () => world.workspace.texts.set('AGENTS.md', 'mine\n');
    expect(await settled(world, rule())).toEqual([]);
  });

  it('with the rules that made room for it, if they are in force and written', async () => {
    const long = (id: string) => line(id, `${'long '.repeat(800)}rule.`);
    const world = setUp({ 'AGENTS.md': section(...['a', 'b'].map(long)) });
    const inForce = (id: string) => rule({ id: id as FixId, ...(id === 'a' && written()) });
    const room = section(long('b'), line('fix-1'));
    expect(await settled(world, rule(), { inForce })).toEqual([
      { kind: 'change-written', ...stamp, path: 'AGENTS.md' },
      {
        ...{ kind: 'fix-moved', ...stamp, fixId: 'a', to: 'rolled-back' },
        reason: 'made space in AGENTS.md for fix-1: its section was full',
      },
      { kind: 'change-removed', ...stamp, fixId: 'a', path: 'AGENTS.md' },
    ]);
    expect(world.text()).toBe(room);
    const other = setUp({ 'AGENTS.md': section(...['b', 'c'].map(long)) });
    expect(await settled(other, rule(), { inForce })).toHaveLength(1);
    const gone = setUp({ 'AGENTS.md': section(...['a', 'c'].map(long)) });
    expect(await settled(gone, rule())).toHaveLength(1);
  });
});
