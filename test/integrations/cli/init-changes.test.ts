import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeChanges, undoChanges } from '../../../integrations/cli/init/changes.js';

let project = '';
beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'rsi-changes-')));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const write = (file: string, text: string) => writeFileSync(join(project, file), text);

describe('an end in the middle', () => {
  const change = (file: string, after: string) => ({ path: join(project, file), after, why: '' });

  it('leaves a record that leads back, because it is written first', async () => {
    symlinkSync(join(project, 'nowhere'), join(project, 'dangling'));
    const places = { project, store: join(project, 'rsi_data') };
    const changes = [change('first', 'one\n'), change('deep/er/second', 'two\n'), change('dangling/third', 'three\n')];
    await expect(makeChanges(changes, places)).rejects.toThrow();
    expect(readFileSync(join(project, 'first'), 'utf8')).toBe('one\n');
    expect(undoChanges(places)).toEqual({ restored: [], removed: ['first', 'deep/er/second'], refused: [] });
    expect(readdirSync(project)).toEqual(['dangling']);
  });

  it('refuses a record that names files outside of the project, and touches none', async () => {
    const outside = join(project, '..', `outside-${basename(project)}`);
    writeFileSync(outside, 'known\n');
    const places = { project, store: join(project, 'rsi_data') };
    await makeChanges([change('first', 'known\n')], places);
    const record = join(places.store, 'hooks', 'init.json');
    const text = readFileSync(record, 'utf8');
    symlinkSync(outside, join(project, 'link'));
    for (const file of [`../${basename(outside)}`, outside, 'link']) {
      writeFileSync(record, text.replace('"first"', JSON.stringify(file)));
      expect(() => undoChanges(places)).toThrow(/leads out of the project/);
    }
    expect(readFileSync(outside, 'utf8')).toBe('known\n');
    await expect(makeChanges([{ ...change('link', 'new\n'), before: 'known\n' }], places)).rejects.toThrow(/leads out/);
    rmSync(outside);
  });

  it('writes nothing if a file changed after the plan was shown', async () => {
    write('second', 'now\n');
    const places = { project, store: join(project, 'rsi_data') };
    const changes = [change('first', 'one\n'), { ...change('second', 'two\n'), before: 'then\n' }];
    await expect(makeChanges(changes, places)).rejects.toThrow(/second was changed meanwhile: nothing was written/);
    expect(readdirSync(project)).toEqual(['second']);
  });

  it('leads back to the text before the first run after a second one', async () => {
    write('file', 'a\n');
    const places = { project, store: join(project, 'rsi_data') };
    await makeChanges([{ ...change('file', 'a\nb\n'), before: 'a\n' }], places);
    await makeChanges([{ ...change('file', 'a\nb\nc\n'), before: 'a\nb\n' }], places);
    undoChanges(places);
    expect(readFileSync(join(project, 'file'), 'utf8')).toBe('a\n');
  });
});
