import type { Json } from 'rsi-loop';
import type { SandboxAnswer } from 'rsi-loop/sandbox';
import { QuickJsSandbox } from 'rsi-loop/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINE_ESCAPES } from './sandbox/engine-escapes.js';
import { type Escape, problemOf } from './sandbox/escape.js';
import { hostEscapes } from './sandbox/host-escapes.js';
import { Place, SECRET } from './sandbox/place.js';

describe('QuickJS in WebAssembly', () => {
  let place: Place;
  let sandbox: QuickJsSandbox;

  beforeAll(async () => {
    place = await new Place().start();
    sandbox = new QuickJsSandbox({ network: place.network });
  });
  afterAll(async () => {
    await sandbox.close();
    await place.remove();
  });

  const run = ({ code, input = null, options }: Escape): Promise<SandboxAnswer> =>
    sandbox.run({ language: 'javascript', code, hash: code }, input, options);

  it.each(ENGINE_ESCAPES.map((each) => [each.name, each] as const))('holds %s', async (_, each) => {
    const answer = await run(each);
    expect(problemOf(each, answer)).toBeUndefined();
    expect(({} as { polluted?: Json }).polluted).toBeUndefined();
  });

  it('holds every misuse of a host function', async () => {
    const found: string[] = [];
    for (const each of hostEscapes(place)) {
      const answer = await run(each);
      const problem = JSON.stringify(answer).includes(SECRET) ? 'it saw the secret' : problemOf(each, answer);
      if (problem !== undefined) found.push(`${each.name}: ${problem}`);
      if (answer.durationMs > 2_900) found.push(`${each.name} took ${answer.durationMs} ms`);
    }
    expect(found).toEqual([]);
    const inside = place.connected.filter(
      (address) => address !== '93.184.215.14:80' && address !== `127.0.0.1:${place.port}`,
    );
    expect(inside).toEqual([]);
  });

  it('is tried by at least 80 programs', () => {
    expect(ENGINE_ESCAPES.length + hostEscapes(place).length).toBeGreaterThan(150);
  });

  it('keeps nothing of a run for the next', async () => {
    const leave = `export default () => {
      globalThis.left = 1; Array.prototype.left = 1; Object.prototype.left = 1; JSON.parse = () => 1; return 1 }`;
    const look = `export default () => [typeof left, typeof [].left, typeof ({}).left, JSON.parse('2')]`;
    for (let count = 0; count < 4; count += 1) {
      expect(await sandbox.run({ language: 'javascript', code: leave, hash: 'a' }, null)).toMatchObject({ output: 1 });
      const answer = await sandbox.run({ language: 'javascript', code: look, hash: 'b' }, null);
      expect(answer).toMatchObject({ output: ['undefined', 'undefined', 'undefined', 2] });
    }
  });
});
