import type { RSILoop } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/lib/random.js';
import { TestServer } from './server.js';

let server: TestServer;
afterEach(() => server.close());

const NAME = 'support.system';
const OLD = 'You answer {{customer}}.';
const NEW = 'You answer {{customer}}. Cite the source.';

const declare = (body: object) => server.post('/prompts', body);

/** Lives with a version that a person tries, as a program in another language sees it. */
async function workWith(version: string, loop: RSILoop, clock: ManualClock, tasks: number, until = () => false) {
  const texts = new Map([[version, OLD]]);
  const sent: string[] = [];
  for (let task = 0; task < tasks && !until(); task++) {
    await clock.advance(30_000);
    const { json } = await server.post('/tasks', { task: 'answer', prompts: { [NAME]: version } });
    const given = (json.prompts as Record<string, { version: string; text?: string }>)[NAME];
    if (given?.text !== undefined) texts.set(given.version, given.text);
    const text = texts.get(given?.version ?? '') ?? 'none';
    sent.push(text);
    const failed = text === NEW ? task % 20 === 0 : task % 5 < 2;
    await server.post(
      `/tasks/${json.id}/end`,
      failed ? { success: false, error: 'no source', issues: ['wrong_output'] } : { success: true },
    );
    if (task % 20 === 19) await loop.runCycle();
  }
  return sent;
}

describe('named texts over HTTP', () => {
  it('are tried on tasks of a program in any language, and given to all once proven', async () => {
    const clock = new ManualClock(Date.UTC(2026, 0, 5));
    server = await new TestServer({ clock, random: seededRandom(1) }).open();
    const { loop } = server;
    const { status, json } = await declare({ name: NAME, text: OLD });
    expect([status, json]).toEqual([200, { name: NAME, version: expect.stringMatching(/^[0-9a-f]{16}$/) }]);
    const version = String(json.version);
    expect(new Set(await workWith(version, loop, clock, 60))).toEqual(new Set([OLD]));
    const { id } = await loop.tryPrompt(NAME, NEW, { by: 'ann' });
    await loop.approve(id, { by: 'ann' });
    await loop.runCycle();
    const sent = await workWith(version, loop, clock, 600, () => loop.explain(id).fix.status === 'confirmed');
    expect(new Set(sent)).toEqual(new Set([OLD, NEW]));
    expect(loop.explain(id).fix.status).toBe('confirmed');
    const later = await workWith(version, loop, clock, 20);
    expect(later.filter((text) => text === NEW).length).toBeGreaterThan(10);
  });

  it('are not sent again to a program that holds them', async () => {
    server = await new TestServer({}).open();
    const { json } = await declare({ name: NAME, text: OLD });
    const begun = await server.post('/tasks', { task: 'a', prompts: { [NAME]: json.version } });
    expect(begun.json.prompts).toEqual({ [NAME]: { version: json.version } });
    expect((await server.post('/tasks', { task: 'a' })).json).not.toHaveProperty('prompts');
    expect((await declare({ name: NAME, text: OLD })).json).toEqual(json);
  });

  it('are rejected with what to do: an unknown text, another version, another text under a known name', async () => {
    server = await new TestServer({}).open();
    const begin = (version: string) => server.post('/tasks', { task: 'a', prompts: { [NAME]: version } });
    const unknown = await begin('1234');
    expect([unknown.status, unknown.json.field]).toEqual([409, `prompts.${NAME}`]);
    expect(unknown.json.detail).toContain(
      'is not known here, not version 1234: send POST /prompts { "name", "text" } first',
    );
    const { json } = await declare({ name: NAME, text: OLD });
    const other = await declare({ name: NAME, text: NEW });
    expect([other.status, other.json.detail]).toEqual([
      409,
      expect.stringContaining('declared twice with different texts'),
    ]);
    const replaced = await declare({ name: NAME, text: NEW, replaces: json.version });
    expect(replaced.status).toBe(200);
    const stale = await begin(String(json.version));
    expect([stale.status, stale.json.detail]).toEqual([
      409,
      expect.stringContaining(`"replaces": "${replaced.json.version}"`),
    ]);
    expect((await begin(String(replaced.json.version))).status).toBe(201);
    expect((await declare({ name: NAME })).json.detail).toContain('text is missing');
    expect((await declare({ name: NAME, text: '  ' })).status).toBe(409);
    const wrong = await server.post('/tasks', { task: 'a', features: { language: 7 } });
    expect([wrong.status, wrong.json.field]).toEqual([400, 'features.language']);
  });
});
