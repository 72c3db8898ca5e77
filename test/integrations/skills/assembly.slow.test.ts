import { cpSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Json, RSILoop } from 'rsi-loop';
import { openSandbox } from 'rsi-loop/sandbox';
import { openSkills } from 'rsi-loop/skills';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ScriptedModel } from '../../../src/testing/scripted-model.js';
import { temporaryFolder } from './temporary-folder.js';

const shipped = join(import.meta.dirname, '../../../examples/skills/text-checksum');
const source = (name: string) => readFileSync(join(shipped, 'references', `${name}.as`), 'utf8');

/** Whether the optional compiler is installed here. */
const isInstalled = (() => {
  try {
    return createRequire(import.meta.url).resolve('assemblyscript/package.json') !== '';
  } catch {
    return false;
  }
})();

describe.skipIf(!isInstalled)('AssemblyScript', () => {
  it('is built within the limits of the sandbox, and its errors name the line', async () => {
    const sandbox = openSandbox();
    onTestFinished(() => sandbox.close());
    const built = await sandbox.build?.({ 'main.ts': source('main'), 'io.ts': source('io') });
    const code = Buffer.from(String(built?.kind === 'answer' && built.output), 'base64');
    const answer = await sandbox.run({ language: 'wasm', code, hash: 'checksum' }, { text: 'abc' });
    expect(answer).toMatchObject({ kind: 'answer', output: { crc32: '352441c2', bytes: 3 } });
    const wrong = await sandbox.build?.({ 'main.ts': 'let x: i32 = "a"' });
    expect(wrong).toMatchObject({ kind: 'failed', reason: 'error', message: expect.stringContaining('main.ts(1,14)') });
    const outside = await sandbox.build?.({ 'main.ts': 'import { x } from "../../../etc/passwd"; x;' });
    expect(outside).toMatchObject({ kind: 'failed', reason: 'error' });
  });

  it('is written, built and tested by the model that changes a skill, until all tests pass', async () => {
    const folder = temporaryFolder();
    cpSync(shipped, join(folder, 'text-checksum'), { recursive: true });
    const faster = source('main').replace('65521', '65_521');
    const uses = [
      { tool: 'read', path: 'references/main.as', text: '' },
      { tool: 'write', path: 'references/main.as', text: `${faster}\nlet wrong: i32 = "text";` },
      { tool: 'test', path: '', text: '' },
      { tool: 'write', path: 'references/main.as', text: `${faster}\nthrow new Error("no");` },
      { tool: 'test', path: '', text: '' },
      { tool: 'write', path: 'references/main.as', text: faster },
      { tool: 'complete', path: '', text: '' },
    ];
    const asked: string[] = [];
    let at = 0;
    const model = new ScriptedModel(({ messages }) => {
      asked.push(messages.map(({ content }) => content).join('\n'));
      return { kind: 'json', json: uses[Math.min(at++, uses.length - 1)] as Json };
    });
    const loop = new RSILoop();
    const skills = openSkills(loop, { folder, model });
    onTestFinished(async () => {
      await skills.close();
      await loop.close();
    });
    const before = await skills.show('text-checksum');
    expect(await skills.test('text-checksum')).toMatchObject({ working: true });
    const changed = await skills.mutate('text-checksum', 'write large numbers with separators');
    expect(changed).toMatchObject({ kind: 'working', parent: before.hash });
    expect(asked[3]).toContain('cannot be built: ERROR TS2322');
    expect(asked[5]).toMatch(/open tests 0 of \d/);
    await skills.promote('text-checksum');
    const after = await skills.show('text-checksum');
    expect(after.files.get('references/main.as')).toBe(faster);
    expect(await skills.call('text-checksum', { text: 'abc' })).toMatchObject({ crc32: '352441c2' });
  });
});
