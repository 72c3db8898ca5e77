import { RSILoop } from 'rsi-loop';
import { openClawPlugin } from 'rsi-loop/sources/agents';

const loop = new RSILoop(); // in a plugin: new RSILoop({ store: new FileStore('./rsi_data') }), and loop.start()
const plugin = openClawPlugin(loop); // in a plugin: export default plugin

// The gateway of OpenClaw does this; each hook gets the event and its context.
type Handler = (event: unknown, context?: unknown) => unknown;
const hooks = new Map<string, Handler>();
plugin.register({ on: (name, handler) => hooks.set(name, handler) });
const context = { sessionKey: 'agent:main:main', agentId: 'main' };
hooks.get('after_tool_call')?.({ toolName: 'web_search', error: '429 Too Many Requests', durationMs: 800 }, context);
hooks.get('agent_end')?.({ success: true, durationMs: 4_000 }, context);
plugin.onCronFailure('morning-brief', 'connect ETIMEDOUT 10.0.0.1:443');

for (const { task, issue } of (await loop.runCycle()).patterns) console.log(task, issue);
await loop.close();
