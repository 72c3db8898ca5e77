import { ModelRouter } from 'rsi-loop/models';
import { ScriptedModel } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';

const model = (name: string) => new ScriptedModel(() => `from ${name}`, { name, vectorOf: () => [name.length] });
const messages = [{ role: 'user', content: 'Why?' }] as const;

describe('ModelRouter', () => {
  it('goes by role, then by mode, then to the fallback', async () => {
    const router = new ModelRouter({
      modes: { interactive: model('ollama'), loop: model('vllm') },
      roles: { code: model('coder'), embed: model('vectors') },
      fallback: model('spare'),
    });
    const asked = async (request: object) => (await router.complete({ messages, ...request })).by;
    expect(await asked({})).toBe('vllm');
    expect(await asked({ mode: 'interactive' })).toBe('ollama');
    expect(await asked({ mode: 'interactive', role: 'code' })).toBe('coder');
    expect(await asked({ role: 'reason' })).toBe('vllm');
    expect(await router.embed(['a'])).toEqual([[7]]);
    expect(await new ModelRouter({ fallback: model('spare') }).complete({ messages })).toMatchObject({ by: 'spare' });
  });

  it('asks the fallback when the model named is down, but not when it refuses', async () => {
    const [named, spare] = [model('vllm'), model('spare')];
    const router = new ModelRouter({ modes: { loop: named }, fallback: spare });
    named.down = true;
    expect((await router.complete({ messages })).by).toBe('spare');
    await expect(router.embed(['a'])).rejects.toMatchObject({ code: 'model-down' });
    const refusing = new ScriptedModel(() => ({ kind: 'refused' }));
    await expect(
      new ModelRouter({ modes: { loop: refusing }, fallback: spare }).complete({ messages }),
    ).rejects.toMatchObject({
      code: 'model-refused',
    });
    const breaking = new ScriptedModel(() => ({ kind: 'broken', text: 'The key' }));
    const halfway = new ModelRouter({ modes: { loop: breaking }, fallback: spare });
    await expect(halfway.complete({ messages }, { onText: () => {} })).rejects.toMatchObject({ code: 'model-down' });
  });

  it('is well while one of its models is', async () => {
    const [one, two] = [model('one'), model('two')];
    const router = new ModelRouter({ modes: { loop: one, interactive: two } });
    one.down = true;
    expect(await router.health()).toMatchObject({ ok: true, models: ['two'] });
    two.down = true;
    expect(await router.health()).toMatchObject({ ok: false, problem: 'two is down; one is down' });
  });

  it('needs a model', () => {
    expect(() => new ModelRouter({})).toThrow('a router needs at least one model');
  });
});
