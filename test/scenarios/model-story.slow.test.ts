import { OllamaModel, VllmModel } from 'rsi-loop/models';
import { expect, it } from 'vitest';
import { type ModelTestServer, ollamaServer, vllmServer } from '../integrations/models/servers.js';
import { Agent, approved, START, statuses } from './agent.js';

const RULE = 'Before you hand over a report, list each point of the request and mark what is still open.';

/** Answer of the model server, to each form of request. */
function play(server: ModelTestServer): void {
  const text = JSON.stringify({ better: true, rule: RULE, confidence: 0.9 });
  server.play([{ kind: 'text', text, tokens: { input: 420, output: 40 } }]);
}

it.for([
  ['vLLM', vllmServer, (url: string) => new VllmModel({ url, model: 'qwen3' })],
  ['Ollama', ollamaServer, (url: string) => new OllamaModel({ url, model: 'qwen3:8b' })],
] as const)(
  'with %s, ten failures become a rule in the words of the model, proven on sessions, written, harmful one day, and taken out',
  async ([, start, open]) => {
    const server = await start();
    play(server);
    const model = open(server.url);
    const agent = new Agent({ model });
    const { id, rule, ...fix } = await approved(agent);
    expect(rule).toBe(RULE);
    expect(fix).toMatchObject({ target: 'AGENTS', safe: false, reason: expect.stringContaining('worded by qwen3') });
    const asked = server.received.filter(({ path }) => path.startsWith('POST'));
    expect(asked).toHaveLength(2); // once for the cause, of which the rules are not sure, and once for the rule

    // From here on the model is gone, and nothing needs it.
    await server.stop();
    await agent.sessions(10, rule, () => 0.6);
    expect(agent.loop.fixes()[0]).toMatchObject({ status: 'trial', trial: { unit: 'session', share: 0.5 } });
    await agent.sessions(40, rule, (isFollowed) => (isFollowed ? 0.1 : 0.6));
    expect(agent.loop.explain(id).fix).toMatchObject({ status: 'confirmed', written: { path: 'AGENTS.md' } });
    expect(agent.files.texts.get('AGENTS.md')).toContain(`- ${RULE} <!-- rsi-loop:rule ${id}`);

    await agent.sessions(500, rule, (isFollowed) => (isFollowed ? 0.6 : 0.05));
    expect(agent.files.texts.get('AGENTS.md')).toBe(START);
    const told = statuses(agent, id).filter((status, index, all) => status !== all[index - 1]);
    // When it begins to harm, half of the sessions leave it out first; then it is rolled back.
    const watched = ['change-written', 'confirmed', 'rolled-back', 'change-removed'];
    const story = ['fix-proposed', 'approved', 'trial', 'confirmed', ...watched];
    expect(told.slice(0, story.length)).toEqual(story);
    // The model was missed when there was something new to word, and said so.
    expect(agent.heard.filter((line) => !/qwen3/.test(line))).toEqual([]);
    await agent.loop.close();
  },
);
