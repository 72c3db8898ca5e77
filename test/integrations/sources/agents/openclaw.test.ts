import { RSILoop } from 'rsi-loop';
import { expect, it } from 'vitest';
import { openClawPlugin } from '../../../../integrations/sources/agents/openclaw.js';

async function run(work: (call: (name: string, event: unknown, context?: unknown) => unknown) => void) {
  const loop = new RSILoop();
  const hooks = new Map<string, (event: unknown, context?: unknown) => unknown>();
  openClawPlugin(loop).register({ on: (name, handler) => hooks.set(name, handler) });
  work((name, event, context) => hooks.get(name)?.(event, context));
  const { patterns } = await loop.runCycle();
  await loop.close();
  return {
    hooks: [...hooks.keys()],
    found: patterns.map(({ task, issue, sources }) => `${task} ${issue} ${sources}`).sort(),
  };
}

const context = { sessionKey: 'agent:main:main', agentId: 'main' };

it('records what the hooks of OpenClaw tell, with the source openclaw', async () => {
  const { found } = await run((call) => {
    call('after_tool_call', { toolName: 'exec', error: '429 Too Many Requests', durationMs: 10 }, context);
    call(
      'after_tool_call',
      { toolName: 'read', result: { isError: true, error: 'connect ECONNRESET 10.0.0.1:443' } },
      context,
    );
    call('after_tool_call', { toolName: 'write', result: { content: 'ok' } }, context);
    call('agent_end', { success: false, error: 'Request timed out', durationMs: 90_000 }, context);
    call('subagent_ended', { targetSessionKey: 'agent:main:sub', outcome: 'timeout' }, context);
    call('before_reset', {}, context);
  });
  expect(found).toEqual([
    'agent_run timeout openclaw',
    'exec rate_limit openclaw',
    'read network openclaw',
    'session session_reset openclaw',
    'subagent incomplete_task openclaw',
    'subagent timeout openclaw',
  ]);
});

it('never throws into OpenClaw, whatever a hook is handed', async () => {
  await run((call) => {
    for (const name of ['after_tool_call', 'agent_end', 'subagent_ended', 'before_reset', 'before_prompt_build'])
      for (const value of [undefined, null, 7, 'x', [], { toolName: 7, result: 7, error: {} }])
        expect(() => call(name, value, value)).not.toThrow();
  });
});
