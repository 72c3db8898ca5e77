import { openCodePlugin } from 'rsi-loop/sources/agents';
import { describe, expect, it } from 'vitest';
import { recordingLoop } from './recorded.js';

async function plugin() {
  const recording = recordingLoop();
  const hooks = await openCodePlugin(recording.loop)();
  const event = (type: string, properties: object) => hooks.event({ event: { type, properties } });
  const tool = (callID: string, state: object, sessionID = 'o-1') =>
    event('message.part.updated', {
      part: { type: 'tool', id: 'p', sessionID, messageID: 'm', callID, tool: 'bash', state },
    });
  return { ...recording, hooks, event, tool };
}

const time = { start: 1_000, end: 1_250 };

describe('openCodePlugin', () => {
  it('records calls once, turns, subagents, compactions and sessions', async () => {
    const { hooks, event, tool, outcomes } = await plugin();
    await event('session.created', { info: { id: 'o-1' } });
    await hooks['chat.message']({ sessionID: 'o-1', model: { providerID: 'a', modelID: 'opus' } });
    await tool('c1', { status: 'running', input: {}, time: { start: 1 } });
    for (let again = 0; again < 2; again++)
      await tool('c1', {
        status: 'completed',
        input: { command: 'ls' },
        output: 'private',
        metadata: { exit: 0 },
        time,
      });
    await tool('c2', {
      status: 'completed',
      input: { command: 'make' },
      output: 'no rule to make target',
      metadata: { exit: 2 },
      time,
    });
    await tool('c3', { status: 'error', input: {}, error: 'ENOENT: no such file or directory', time });
    await event('session.created', { info: { id: 'o-2', parentID: 'o-1' } });
    await tool('c4', { status: 'completed', input: {}, output: '', metadata: {}, time }, 'o-2');
    await event('session.idle', { sessionID: 'o-2' });
    await event('session.compacted', { sessionID: 'o-1' });
    await event('session.error', {
      sessionID: 'o-1',
      error: { name: 'ProviderAuthError', data: { message: '401 invalid api key' } },
    });
    await event('session.error', { sessionID: 'o-1', error: { name: 'MessageAbortedError', data: {} } });
    await event('session.deleted', { info: { id: 'o-1' } });
    const found = await outcomes();
    expect(found.map(({ task, success, issues, agent }) => [task, success, issues[0], agent])).toEqual([
      ['bash', true, undefined, 'main'],
      ['bash', false, 'tool_failure', 'main'],
      ['bash', false, 'not_found', 'main'],
      ['bash', true, undefined, 'subagent'],
      ['subagent', true, undefined, 'subagent'],
      ['compaction', true, undefined, 'main'],
      ['turn', false, 'auth', 'main'],
      ['session', false, 'incomplete_task', undefined],
    ]);
    expect(found[0]).toMatchObject({ durationMs: 250, model: 'opus', session: 'o-1', source: 'opencode' });
    expect(JSON.stringify(found)).not.toContain('private');
  });

  it('hints with the next request to an agent that goes round in circles', async () => {
    const { hooks, tool } = await plugin();
    for (let call = 0; call < 5; call++)
      await tool(`c${call}`, { status: 'completed', input: { command: 'ls' }, output: 'a', time });
    const output = { system: ['you are an agent'] };
    await hooks['experimental.chat.system.transform']({ sessionID: 'o-1' }, output);
    expect(output.system).toEqual(['you are an agent', expect.stringContaining('5 times')]);
    await hooks['experimental.chat.system.transform']({ sessionID: 'o-1' }, output);
    expect(output.system).toHaveLength(2);
  });

  it('never throws into OpenCode', async () => {
    const { hooks, outcomes } = await plugin();
    const odd = [
      undefined,
      null,
      3,
      'x',
      {},
      { type: 'session.idle' },
      { type: 'message.part.updated', properties: { part: 1, sessionID: 's' } },
    ];
    for (const event of odd) {
      await hooks.event({ event });
      await hooks['chat.message'](event);
      await hooks['experimental.chat.system.transform'](event, event);
    }
    expect(await outcomes()).toEqual([]);
  });
});
