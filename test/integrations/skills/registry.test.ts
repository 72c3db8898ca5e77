import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CSV_SCHEMA, javascript, openLibrary, put, skillOf, TOTAL, temporaryFolder } from './open-library.js';

const DAY_MS = 86_400_000;
const total = skillOf({
  name: 'csv-total',
  description: 'Totals the amounts of a CSV sheet.',
  whenNot: 'JSON documents',
  ...javascript(TOTAL),
  input: CSV_SCHEMA,
});
const dates = skillOf({
  name: 'date-diff',
  description: 'Counts the days between two dates.',
  ...javascript('export default () => 1;'),
});
const fails = skillOf({
  name: 'broken',
  description: 'Converts units of length.',
  ...javascript('export default (x) => { if (x < 0) throw new Error("no"); return x; };'),
});

async function opened() {
  const folder = temporaryFolder();
  const parts = openLibrary(folder);
  await put(parts.files, total, dates, fails);
  return { folder, ...parts };
}

describe('the registry of skills', () => {
  it('offers what fits, counts "when not" against it, and nothing where nothing fits', async () => {
    const { skills } = await opened();
    expect((await skills.nearest('total the amounts of this sheet')).map(({ name }) => name)).toEqual(['csv-total']);
    expect(await skills.nearest('write a poem about spring')).toEqual([]);
    expect(await skills.nearest('total the amounts in these JSON documents')).toEqual([]);
    await expect(skills.nearest('x', { limit: 4 })).rejects.toThrow('limit is 4: give 1 to 3');
  });

  it('filters inactive skills before it takes the nearest ones', async () => {
    const { skills, files } = await opened();
    const twins = [1, 2, 3, 4].map((number) =>
      skillOf({ name: `csv-total-${number}`, description: total.description, ...javascript(TOTAL) }),
    );
    await put(files, ...twins);
    for (const { name } of [total, ...twins.slice(0, 3)]) await skills.deprecate(name, 'a twin');
    expect((await skills.nearest('total the amounts of this sheet')).map(({ name }) => name)).toEqual(['csv-total-4']);
  });

  it('does not count input against the schema, and records other calls as outcomes', async () => {
    const { skills, loop, clock } = await opened();
    await expect(skills.call('csv-total', { sheet: 1 })).rejects.toThrow('skill csv-total: the input lacks csv');
    expect((await skills.list()).find(({ name }) => name === 'csv-total')?.use).toMatchObject({ calls: 0 });
    expect(await skills.call('csv-total', { csv: 'a,1' })).toEqual({ total: 1 });
    await expect(skills.call('broken', -1)).rejects.toThrow('skill broken failed: error: Error: no');
    await loop.runCycle();
    expect(
      loop.analyzer.tasks(clock.now()).map(({ task, outcomes, failures }) => ({ task, outcomes, failures })),
    ).toEqual([
      { task: 'broken', outcomes: 1, failures: 1 },
      { task: 'csv-total', outcomes: 1, failures: 0 },
    ]);
  });

  it('suggests the name that was meant', async () => {
    const { skills } = await opened();
    await skills.list();
    await expect(skills.call('csv-totl', {})).rejects.toThrow('no skill is called "csv-totl": did you mean csv-total?');
  });

  it('deprecates a skill after a run of failures, and not after two in a row', async () => {
    const { skills } = await opened();
    for (let call = 0; call < 20; call++) await skills.call('broken', 1);
    for (let call = 0; call < 2; call++) await skills.call('broken', -1).catch(() => {});
    expect((await skills.list()).find(({ name }) => name === 'broken')?.isActive).toBe(true);
    const deprecated = new Promise<{ reason: string }>((resolve) => skills.on('skill-deprecated', resolve));
    for (let call = 0; call < 10; call++) await skills.call('broken', -1).catch(() => {});
    expect((await deprecated).reason).toMatch(/^harm alarm: \d+ of \d+ calls failed, and 20 % are tolerated$/);
    await expect(skills.call('broken', 1)).rejects.toThrow('is deprecated (harm alarm');
    await skills.revive('broken');
    expect(await skills.call('broken', 1)).toBe(1);
  });

  it('keeps its counts across processes, and removes what was not used for 90 days', async () => {
    const { folder, skills, clock, files } = await opened();
    await skills.list();
    await clock.advance(60 * DAY_MS);
    await skills.call('csv-total', { csv: 'a,1' });
    await skills.close();
    await clock.advance(40 * DAY_MS);
    const second = openLibrary(folder, {}, clock);
    expect(await second.skills.prune({ dry: true })).toEqual(['broken', 'date-diff']);
    expect(await second.skills.prune()).toEqual(['broken', 'date-diff']);
    expect((await second.skills.list()).map(({ name, use }) => [name, use?.calls])).toEqual([['csv-total', 1]]);
    await second.skills.revive('date-diff');
    expect((await files.scan()).map(({ name }) => name)).toEqual(['csv-total', 'date-diff']);
    expect(await second.skills.prune()).toEqual([]);
  });

  it('writes memory.json and meta.json, and reads the memory of another agent', async () => {
    const { folder, skills } = await opened();
    const foreign = {
      skills: {},
      failures: [{ task: 'sum a sheet', error: 'TypeError: x' }],
      directives: ['count words'],
    };
    expect(await skills.importMemory(JSON.stringify(foreign))).toEqual({ failures: 1, directives: 1 });
    expect(await skills.importMemory(JSON.stringify(foreign))).toEqual({ failures: 0, directives: 0 });
    await expect(skills.importMemory('{}')).rejects.toThrow('no list of failures');
    const read = (name: string) => JSON.parse(readFileSync(join(folder, '.rsi', name), 'utf8'));
    expect(read('memory.json')).toMatchObject({
      version: 1,
      skills: { 'csv-total': { status: 'working' } },
      failures: [{ task: 'sum a sheet', error: 'TypeError: x' }],
      directives: [{ directive: 'count words', status: 'queued' }],
    });
    expect(read('meta.json').capabilities.map(({ name }: { name: string }) => name)).toEqual([
      'broken',
      'csv-total',
      'date-diff',
    ]);
  });

  it('keeps directives that another agent has not finished', async () => {
    const { skills } = await opened();
    const examples = [['a', 1]];
    const foreign = {
      failures: [],
      directives: [
        { directive: 'count words', status: 'pending', examples },
        { directive: 'count lines', status: 'done' },
      ],
      pendingDirective: { directive: 'sum a sheet' },
    };
    expect(await skills.importMemory(JSON.stringify(foreign))).toEqual({ failures: 0, directives: 2 });
    const { directives } = await skills.memory();
    expect(directives.map(({ directive, status, examples: kept }) => [directive, status, kept])).toEqual([
      ['count words', 'queued', examples],
      ['sum a sheet', 'queued', []],
    ]);
    const alone = JSON.stringify({ pending_directive: 'group rows' });
    expect(await skills.importMemory(alone)).toEqual({ failures: 0, directives: 1 });
  });

  it('binds granted access to the code', async () => {
    const { files, skills } = await opened();
    const asking = { name: 'asking', asks: { hosts: ['a.example'] }, ...javascript('export default () => 1;') };
    await put(files, skillOf(asking));
    await skills.list();
    await expect(skills.call('asking', null)).rejects.toThrow('which is not allowed: add it to allow.hosts');
    await skills.grant('asking', { by: 'ann' });
    await expect(skills.grant('csv-total', { by: 'ann' })).rejects.toThrow('asks for access');
  });
});
