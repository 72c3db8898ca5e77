import { RSILoop } from 'rsi-loop';
import { agentAdapter } from 'rsi-loop/sources/agents';

const loop = new RSILoop();
const adapter = agentAdapter(loop, { agent: 'clerk', session: 's-1' });

adapter.onTaskComplete({ task: 'summarize', success: true, durationMs: 4_200, quality: 4 });
adapter.onModelFallback('opus', 'haiku', new Error('529 overloaded_error'));
adapter.onSessionReset('s-1', 'the context was lost');
adapter.onCronFailure('nightly-report', 'connect ETIMEDOUT 10.0.0.1:443');
adapter.onSubagentFailure('researcher', 'no answer');

for (const { task, issue, template } of (await loop.runCycle()).patterns) console.log(task, issue, template);
await loop.close();
