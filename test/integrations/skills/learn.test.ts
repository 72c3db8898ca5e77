import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import type { SkillEvent } from '../../../integrations/skills/skill-event.js';
import { ScriptedModel } from '../../../src/testing/scripted-model.js';
import { openLibrary, TOTAL, TOTALS, temporaryFolder } from './open-library.js';
import { scriptedWriter } from './scripted-writer.js';

const SYNTAX = 'export default ({ csv }) => {{{';
const CRASHES = 'export default ({ csv }) => ({ total: csv.rows.length });';
const LOOPS = 'export default () => { for (;;); };';
const WRONG_TYPE = 'export default () => ({ total: "3" });';
const RANDOM = `let first = true; ${TOTAL.replace('=> ({', '=> ({ ...(Math.random() < 2 && {}), ').replace('total:', 'total: Math.random() * 1e-3 +')}`;
/** Knows the open examples by heart. */
const learnedByHeart = (examples: readonly (readonly [unknown, unknown])[]) =>
  `export default (input) => (${JSON.stringify(examples)}).find(([given]) => JSON.stringify(given) === JSON.stringify(input))?.[1] ?? { total: 0 };`;
/** Fails by a bug on input that the examples do not show. */
const BRITTLE = TOTAL.replace('line.split(",")[1]', 'line.split(",")[1].trim()');

describe('learning a skill', () => {
  it('writes, tests and analyses until the hidden tests pass, and tells each phase', async () => {
    const model = scriptedWriter({ drafts: [SYNTAX, CRASHES, LOOPS, WRONG_TYPE, RANDOM, TOTAL] });
    const { skills } = openLibrary(temporaryFolder(), { model });
    const phases: string[] = [];
    skills.on('learning-phase', ({ phase, attempt }) => phases.push(`${phase} ${attempt}`));
    expect(await skills.learn('total the amounts of a CSV', { examples: TOTALS })).toMatchObject({
      kind: 'working',
      name: 'csv-total',
      attempts: 6,
    });
    expect(phases.slice(0, 4)).toEqual(['plan 0', 'write 1', 'test 1', 'analyse 1']);
    expect(phases.at(-1)).toBe('save 6');
    expect(await skills.call('csv-total', { csv: 'a,1\nb,2' })).toEqual({ total: 3 });
  });

  it('tells its writer which working skills the code may import, each with the hash that pins it', async () => {
    const folder = temporaryFolder();
    const writer = (name: string) => scriptedWriter({ name, description: `Totals a CSV: ${name}.`, drafts: [TOTAL] });
    for (const name of ['csv-lib', 'csv-old'])
      await openLibrary(folder, { model: writer(name) }).skills.learn(`learn ${name}`, { examples: TOTALS });
    const model = writer('csv-total');
    const { skills } = openLibrary(folder, { model });
    await skills.deprecate('csv-old', 'there is a better one');
    await skills.learn('total the amounts of a CSV', { examples: TOTALS });
    const { hash } = await skills.show('csv-lib');
    const asked = model.requests.map(({ messages }) => messages.map(({ content }) => content).join('\n'));
    expect(asked.filter((text) => text.includes(`'skill:csv-lib@${hash}': Totals a CSV: csv-lib.`))).toHaveLength(1);
    expect(asked.join()).not.toContain('skill:csv-old@');
  });

  it('never shows hidden tests to the model', async () => {
    const model = scriptedWriter({ drafts: [CRASHES, WRONG_TYPE, TOTAL] });
    const { skills } = openLibrary(temporaryFolder(), { model });
    await skills.learn('total the amounts of a CSV', { examples: TOTALS });
    const { tests } = await skills.show('csv-total');
    const said = model.requests.flatMap(({ messages }) => messages.map(({ content }) => content)).join();
    const shown = (input: unknown) => said.includes(JSON.stringify(input));
    expect(tests.filter(({ hidden }) => hidden)).toHaveLength(4);
    for (const { input, hidden } of tests) expect(shown(input), JSON.stringify(input)).toBe(!hidden);
  });

  it('does not take code that knows the open tests by heart', async () => {
    const folder = temporaryFolder();
    const probe = openLibrary(folder, { model: scriptedWriter({ drafts: [TOTAL] }) });
    await probe.skills.learn('total', { examples: TOTALS });
    const open = (await probe.skills.show('csv-total')).tests
      .filter(({ hidden }) => !hidden)
      .map(({ input, output }) => [input, output] as const);
    const { skills } = openLibrary(temporaryFolder(), { model: scriptedWriter({ drafts: [learnedByHeart(open)] }) });
    const learned = await skills.learn('total', { examples: TOTALS, attempts: 3 });
    expect(learned).toMatchObject({ kind: 'failed', attempts: 3 });
    expect(learned.kind === 'failed' && learned.reason).toContain('hidden 0 of 4');
    expect(await skills.list()).toEqual([]);
  });

  it('takes code that fails by a bug on made input, and warns of it', async () => {
    const { skills } = openLibrary(temporaryFolder(), { model: scriptedWriter({ drafts: [BRITTLE] }) });
    expect(await skills.learn('total', { examples: TOTALS, attempts: 1 })).toMatchObject({ kind: 'working' });
    const report = await skills.test('csv-total');
    expect(report).toMatchObject({ working: true, failures: [] });
    expect(report.warnings[0]?.problem).toContain('TypeError');
  });

  it('learns the total of docs/sandbox.md as it is printed there', async () => {
    const printed = readFileSync(join(import.meta.dirname, '../../../examples/sandbox.ts'), 'utf8');
    const code = /const code = `([\s\S]*?)`;/.exec(printed)?.[1]?.replaceAll('\\\\', '\\') ?? '';
    // The sandbox of this test has neither promises nor a host.
    const plain = code.replace(/async \(input: .*?, host\)/, '(input)').replace(/host\.log.*\n/, '');
    const { skills } = openLibrary(temporaryFolder(), { model: scriptedWriter({ drafts: [plain] }) });
    expect(await skills.learn('total', { examples: TOTALS, attempts: 1 })).toMatchObject({
      kind: 'working',
      attempts: 1,
    });
  });

  it('shows no word of a hidden example, and learns skills that answer with maps', async () => {
    const right = `export default ({ text }) => {
      const counts = {};
      for (const word of text.split(' ')) counts[word] = (counts[word] ?? 0) + 1;
      return { counts, longest: text === '' ? null : text.split(' ')[0] };
    };`;
    const model = scriptedWriter({ drafts: [right] });
    const { skills } = openLibrary(temporaryFolder(), { model });
    const examples = Array.from({ length: 24 }, (_, at): readonly [Json, Json] => [
      { text: `uniq${at}x common` },
      { counts: { [`uniq${at}x`]: 1, common: 1 }, longest: `uniq${at}x` },
    ]);
    expect(await skills.learn('count words', { examples })).toMatchObject({ kind: 'working', attempts: 1 });
    const said = model.requests.flatMap(({ messages }) => messages.map(({ content }) => content)).join();
    const { tests } = await skills.show('csv-total');
    const words = tests.map(
      ({ input, hidden }) => [(input as { text: string }).text.split(' ')[0] ?? '', hidden] as const,
    );
    for (const [word, hidden] of words) expect(said.includes(word), word).toBe(!hidden);
    expect(await skills.call('csv-total', { text: 'never seen before' })).toMatchObject({
      counts: { never: 1, seen: 1, before: 1 },
    });
  });

  it('runs a draft that has used up its time with no further input', async () => {
    const { skills, sandbox } = openLibrary(temporaryFolder(), { model: scriptedWriter({ drafts: [LOOPS] }) });
    const learned = await skills.learn('total', { examples: TOTALS, attempts: 1 });
    expect(learned.kind).toBe('failed');
    expect(sandbox.runs).toBe(1);
  });

  it('asks the model nothing twice after an interruption at any step', async () => {
    const drafts = [SYNTAX, CRASHES, TOTAL];
    const whole = scriptedWriter({ drafts });
    await openLibrary(temporaryFolder(), { model: whole }).skills.learn('total', { examples: TOTALS });
    for (let calls = 0; calls < whole.requests.length; calls++) {
      const folder = temporaryFolder();
      const model = scriptedWriter({ drafts });
      const first = openLibrary(folder, { model: dyingAfter(model, calls) });
      await expect(first.skills.learn('total', { examples: TOTALS })).rejects.toThrow('is down');
      const second = openLibrary(folder, { model });
      expect(await second.skills.learn('total', { examples: TOTALS })).toMatchObject({ kind: 'working', attempts: 3 });
      expect(model.requests).toHaveLength(whole.requests.length);
    }
  });

  it('returns what was learned before, and learns again after a failure, with its former failures', async () => {
    const folder = temporaryFolder();
    const failing = openLibrary(folder, { model: scriptedWriter({ drafts: [CRASHES] }) });
    expect(await failing.skills.learn('total the amounts', { examples: TOTALS, attempts: 2 })).toMatchObject({
      kind: 'failed',
    });
    expect((await failing.skills.memory()).failures).toMatchObject([
      { directive: 'total the amounts', error: expect.stringContaining('TypeError') },
    ]);
    const model = scriptedWriter({ drafts: [TOTAL] });
    const { skills } = openLibrary(folder, { model });
    expect(await skills.learn('total the amounts', { examples: TOTALS })).toMatchObject({
      kind: 'working',
      attempts: 1,
    });
    expect(JSON.stringify(model.requests[0])).toContain('former failure 1');
    const asked = model.requests.length;
    expect(await skills.learn('total the amounts', { examples: TOTALS })).toMatchObject({ kind: 'working' });
    expect(model.requests).toHaveLength(asked);
  });

  it('counts an unusable answer as an attempt', async () => {
    const good = scriptedWriter({ drafts: [TOTAL] });
    let calls = 0;
    const model = new ScriptedModel();
    model.complete = async (request, call) => {
      calls++;
      if (calls === 2) return new ScriptedModel(['no JSON']).complete(request, call);
      return good.complete(request, call);
    };
    const { skills } = openLibrary(temporaryFolder(), { model });
    expect(await skills.learn('total', { examples: TOTALS })).toMatchObject({ kind: 'working', attempts: 2 });
  });

  it('waits for a person before it tests code with access to the network', async () => {
    const folder = temporaryFolder();
    const model = scriptedWriter({ asks: { hosts: ['api.example.com'] }, drafts: [TOTAL] });
    const options = { model, allow: { hosts: ['api.example.com'] } };
    const { skills, sandbox } = openLibrary(folder, options);
    const waiting = await skills.learn('total', { examples: TOTALS });
    expect(waiting).toMatchObject({ kind: 'waiting', asks: { hosts: ['api.example.com'] } });
    expect(sandbox.runs).toBe(0);
    await skills.grant('csv-total', { by: 'ann', reason: 'it is our own server' });
    expect(await skills.learn('total', { examples: TOTALS })).toMatchObject({ kind: 'working' });
    expect(sandbox.allowed.at(-1)).toMatchObject({ hosts: ['api.example.com'] });
    expect(await skills.call('csv-total', { csv: 'a,1' })).toEqual({ total: 1 });
  });

  it('asks the gate, which may reject', async () => {
    const model = scriptedWriter({ asks: { hosts: ['api.example.com'] }, drafts: [TOTAL] });
    const gate = { decide: async () => ({ kind: 'rejected', by: 'bob', reason: 'no network', atMs: 0 }) as const };
    const { skills } = openLibrary(temporaryFolder(), { model, gate, allow: { hosts: ['api.example.com'] } });
    expect(await skills.learn('total', { examples: TOTALS })).toMatchObject({
      kind: 'failed',
      reason: 'bob rejected the access: no network',
    });
  });

  it('rejects access that the host does not allow', async () => {
    const model = scriptedWriter({ asks: { read: ['/etc'] }, drafts: [TOTAL] });
    const { skills } = openLibrary(temporaryFolder(), { model, allow: { read: ['./data'] } });
    expect(await skills.learn('total', { examples: TOTALS })).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('add it to allow.read'),
    });
  });

  it('learns the queue one after the other, also after a restart', async () => {
    const folder = temporaryFolder();
    await openLibrary(folder).skills.queue('total the amounts', TOTALS);
    const { skills } = openLibrary(folder, { model: scriptedWriter({ drafts: [TOTAL] }) });
    expect(await skills.learnQueued()).toMatchObject([
      { directive: 'total the amounts', learned: { kind: 'working' } },
    ]);
    expect(await skills.learnQueued()).toEqual([]);
    expect((await skills.memory()).directives).toMatchObject([{ status: 'learned', result: 'csv-total' }]);
  });

  it.each([
    ['', { examples: TOTALS }, 'the directive is'],
    ['total', { examples: [] }, 'examples'],
    ['total', { examples: TOTALS, attempts: 13 }, 'attempts is 13: give 1 to 12'],
    ['total', { examples: TOTALS, name: 'Not A Name' }, 'name is Not A Name'],
    ['total', { examples: TOTALS, input: { type: 'string' } as const }, 'the input of example 1 is object, not a text'],
  ])('rejects a bad request: %s %o', async (directive, options, problem) => {
    const { skills } = openLibrary(temporaryFolder(), { model: scriptedWriter({ drafts: [TOTAL] }) });
    await expect(skills.learn(directive, options)).rejects.toThrow(problem);
  });
});

describe('changing a skill', () => {
  const uses = (...steps: readonly (readonly [tool: string, path?: string, text?: string])[]) =>
    new ScriptedModel(steps.map(([tool, path = '', text = '']) => JSON.stringify({ tool, path, text })));

  it('replaces a skill that fails by a child that passes the hidden tests', async () => {
    const folder = temporaryFolder();
    const learned = openLibrary(folder, { model: scriptedWriter({ drafts: [TOTAL] }) });
    await learned.skills.learn('total', { examples: TOTALS });
    await learned.skills.deprecate('csv-total', 'fails on semicolons');
    const better = TOTAL.replace('split(",")', 'split(/[,;]/)');
    const model = uses(
      ['read', 'scripts/main.js'],
      ['read', 'tests.json'],
      ['write', 'tests.json', '{}'],
      ['write', 'scripts/main.js', SYNTAX],
      ['complete'],
      ['write', 'scripts/main.js', better],
      ['test'],
      ['complete'],
    );
    const { skills } = openLibrary(folder, { model });
    const before = await skills.show('csv-total');
    expect(await skills.mutate('csv-total', 'read semicolons too')).toMatchObject({
      kind: 'working',
      parent: before.hash,
    });
    expect(await skills.call('csv-total', { csv: 'a;1\nb,2' })).toEqual({ total: 3 });
    expect(await skills.tree('csv-total')).toMatchObject([
      { version: 1, role: 'older', hash: before.hash },
      { version: 2, role: 'current', parent: before.hash },
    ]);
    const answers = JSON.stringify(model.requests.at(-1));
    expect(answers).toContain('cannot be written');
    expect(answers).toContain('rejected: does not work yet');
    expect(answers).not.toContain('hidden\\\\\\":true');
  });

  it('keeps the child of a working skill as a candidate, and promotes it once it is proven on the same calls', async () => {
    const folder = temporaryFolder();
    const learned = openLibrary(folder, { model: scriptedWriter({ drafts: [TOTAL] }) });
    await learned.skills.learn('total', { examples: TOTALS });
    const better = TOTAL.replace('split(",")', 'split(/[,;]/)');
    const { skills } = openLibrary(folder, { model: uses(['write', 'scripts/main.js', better], ['complete']) });
    await skills.mutate('csv-total', 'read semicolons too');
    expect(await skills.tree()).toMatchObject([
      { role: 'current', version: 1 },
      { role: 'candidate', version: 2 },
    ]);
    const saved = new Promise<SkillEvent>((resolve) => skills.on('skill-saved', resolve));
    const accept = (output: unknown) => JSON.stringify(output) === '{"total":3}';
    for (let call = 0; call < 60; call++)
      await skills.call('csv-total', { csv: call % 2 ? 'a;1\nb;2' : 'a,1\nb,2' }, { accept }).catch(() => {});
    await saved;
    expect(await skills.tree()).toMatchObject([
      { role: 'older', version: 1 },
      { role: 'current', version: 2 },
    ]);
  });

  it('drops a candidate that changes nothing for the better', async () => {
    const folder = temporaryFolder();
    await openLibrary(folder, { model: scriptedWriter({ drafts: [TOTAL] }) }).skills.learn('total', {
      examples: TOTALS,
    });
    const { skills } = openLibrary(folder, {
      model: uses(['write', 'scripts/main.js', `// the same\n${TOTAL}`], ['complete']),
    });
    await skills.mutate('csv-total', 'make it nicer');
    const dropped = new Promise<SkillEvent>((resolve) => skills.on('skill-deprecated', resolve));
    for (let call = 0; call < 300; call++) await skills.call('csv-total', { csv: 'a,1' });
    expect(await dropped).toMatchObject({ reason: expect.stringContaining('did not do better') });
    expect(await skills.tree()).toMatchObject([
      { role: 'current', version: 1 },
      { role: 'older', version: 2 },
    ]);
  });
});

/** Returns a model that is down after so many answers. */
function dyingAfter(model: ScriptedModel, answers: number): ScriptedModel {
  let left = answers;
  const dying = new ScriptedModel([]);
  dying.complete = (request, call) => {
    if (left-- > 0) return model.complete(request, call);
    dying.down = true;
    return ScriptedModel.prototype.complete.call(dying, request, call);
  };
  return dying;
}
