import { type ModelStep, modelContract, ScriptedModel } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';

modelContract(
  'ScriptedModel',
  { describe, it },
  {
    create: () => {
      const steps: ModelStep[] = [];
      const model = new ScriptedModel(() => steps.shift() ?? 'nothing left to say');
      return {
        model,
        play: (more) => void steps.push(...more),
        stop: () => {
          model.down = true;
        },
        remove: () => {},
      };
    },
  },
);

describe('ScriptedModel', () => {
  it('keeps the requests it got, and says when its script has ended', async () => {
    const model = new ScriptedModel(['first', { kind: 'json', json: { second: true } }]);
    const ask = (content: string) => model.complete({ messages: [{ role: 'user', content }] });
    expect((await ask('a')).text).toBe('first');
    expect((await ask('b')).text).toBe('{"second":true}');
    await expect(ask('c')).rejects.toThrow('the script of scripted ended after 2 answers: give it more');
    expect(model.requests.map(({ messages }) => messages[0]?.content)).toEqual(['a', 'b', 'c']);
  });
});
