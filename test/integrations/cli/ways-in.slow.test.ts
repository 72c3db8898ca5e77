import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trainingOf } from '../../../integrations/cli/export/training.js';
import { ignoreData, trackData } from '../../../integrations/cli/install/git-ignore.js';
import type { Outcome } from '../../../src/contract/outcome.js';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-ways-'));
let command = '';
beforeAll(async () => {
  command = await buildCommand(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const rsi = (...args: readonly string[]) => runCommand([command, ...args], { cwd: folder });

describe('what a new user types', () => {
  it('rsi record --context keeps the object, and says what else is none', async () => {
    const { stdout } = await rsi(
      'record',
      'deploy',
      '--error',
      'health check failed',
      '--context',
      '{"branch":"main"}',
      '--json',
    );
    expect(JSON.parse(stdout).outcome.context).toEqual({ branch: 'main' });
    for (const text of ['main', '[1]', '"x"']) {
      const { code, stderr } = await rsi('record', 'deploy', '--context', text);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/Give (?:a JSON|an) object/)]);
    }
  });

  it('rsi review --status pending is what waits for a person', async () => {
    const store = ['--store', join(folder, 'review')];
    await rsi('record', 'deploy', '--error', 'health check failed', ...store);
    const pending = await rsi('review', '--status', 'pending', ...store);
    expect(pending).toEqual(await rsi('review', ...store));
    expect(pending.code).toBe(0);
  });

  it('rsi root-causes --events --days 7 is a table of events', async () => {
    const store = ['--store', join(folder, 'events')];
    await rsi('record', 'deploy', '--error', 'health check failed', ...store);
    const { code, stdout } = await rsi('root-causes', '--events', '--days', '7', ...store);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^when +task +issue +cause +message\n\d{4}-\d\d-\d\d \d\d:\d\d {2}deploy +\S+ +\S+ +health check failed\n/,
    );
  });

  it('rsi watch --once takes a file that was written just now', async () => {
    mkdirSync(join(folder, 'drop'));
    writeFileSync(join(folder, 'drop', 'fresh.json'), '{"task":"a","success":true}');
    const { stdout } = await rsi('watch', 'drop', '--once', '--settle', '300');
    expect(stdout).toBe('1 record, 1 file read, 0 rejected\n');
  });
});

describe('.gitignore', () => {
  it.each([
    ['of nothing', undefined],
    ['with lines', 'node_modules\n'],
    ['without a last line break', 'dist'],
  ])('%s gets the folder of the loop, and loses exactly that again', async (_, before) => {
    const project = mkdtempSync(join(folder, 'project-'));
    mkdirSync(join(project, '.git'));
    const path = join(project, '.gitignore');
    if (before !== undefined) writeFileSync(path, before);
    expect(await ignoreData(project, join(project, 'rsi_data'))).toBe('/rsi_data/');
    expect(await ignoreData(project, join(project, 'rsi_data'))).toBeUndefined();
    expect(readFileSync(path, 'utf8').split('\n')).toContain('/rsi_data/');
    await trackData(project, join(project, 'rsi_data'));
    if (before === undefined) expect(existsSync(path)).toBe(false);
    else expect(readFileSync(path, 'utf8').trimEnd()).toBe(before.trimEnd());
  });

  it('is left alone outside of a repository, and for a folder elsewhere', async () => {
    const project = mkdtempSync(join(folder, 'project-'));
    expect(await ignoreData(project, join(project, 'rsi_data'))).toBeUndefined();
    mkdirSync(join(project, '.git'));
    expect(await ignoreData(project, join(folder, 'elsewhere'))).toBeUndefined();
    expect(existsSync(join(project, '.gitignore'))).toBe(false);
  });
});

describe('training data', () => {
  const outcome = (fields: Partial<Outcome>) =>
    ({
      id: 'o',
      task: 't',
      success: false,
      atMs: 0,
      source: 's',
      issues: ['wrong_output'],
      expected: 'Paris',
      actual: 'Lyon',
      ...fields,
    }) as Outcome;

  it('holds an answer beside the one that came instead', () => {
    expect(trainingOf(outcome({}), 'preference')).toMatchObject({ chosen: 'Paris', rejected: 'Lyon' });
  });

  it.each([
    ['an outage', { issues: ['rate_limit'] }],
    ['a wish', { expected: 'The answer should name five points' }],
    ['another wish', { expected: 'to finish before noon' }],
    ['nothing', { expected: ' ' }],
  ])('leaves out %s', (_, fields) => {
    expect(trainingOf(outcome(fields as Partial<Outcome>), 'preference')).toBeUndefined();
    expect(trainingOf(outcome(fields as Partial<Outcome>), 'sft')).toBeUndefined();
  });

  it('takes the message of an error for no answer', () => {
    const { actual: _, ...rest } = outcome({ error: { message: 'boom' } });
    expect(trainingOf(rest as Outcome, 'preference')).toBeUndefined();
  });
});
