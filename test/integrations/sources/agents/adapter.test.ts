import { agentAdapter } from 'rsi-loop/sources/agents';
import { describe, expect, it } from 'vitest';
import { recordingLoop } from './recorded.js';

describe('agentAdapter', () => {
  it('records what a host of agents calls back about, with the issues the field names', async () => {
    const { loop, outcomes } = recordingLoop();
    const adapter = agentAdapter(loop, { session: 's-1', agent: 'clerk' });
    adapter.onTaskComplete({ task: 'summarize', success: true, durationMs: 40, quality: 4 });
    adapter.onModelFallback('opus', 'haiku', new Error('529 overloaded_error'));
    adapter.onSessionReset('s-2');
    adapter.onCronFailure('nightly-report', 'connect ETIMEDOUT 10.0.0.1:443');
    adapter.onSubagentFailure('researcher', 'gave up');
    expect(await outcomes()).toMatchObject([
      { task: 'summarize', success: true, session: 's-1', agent: 'clerk', source: 'agent', quality: 4 },
      {
        task: 'model_call',
        success: false,
        model: 'opus',
        issues: ['overloaded', 'model_fallback'],
        context: { to: 'haiku' },
      },
      { task: 'session', session: 's-2', success: false, issues: ['session_reset'] },
      { task: 'nightly-report', issues: ['timeout', 'incomplete_task'], tags: ['cron'] },
      { task: 'subagent', agent: 'researcher', issues: ['incomplete_task'] },
    ]);
  });

  it('never throws into the host, whatever it hands over', async () => {
    const { loop, problems } = recordingLoop();
    const adapter = agentAdapter(loop);
    const throwing = {
      get task(): string {
        throw new Error('no');
      },
    };
    // Hosts are not always typed.
    for (const odd of [undefined, null, 3, throwing] as never[]) {
      expect(() => adapter.onTaskComplete(odd)).not.toThrow();
      expect(() => adapter.onModelFallback(odd, odd, odd)).not.toThrow();
      expect(() => adapter.onCronFailure(odd, odd)).not.toThrow();
    }
    expect(problems.length).toBeGreaterThan(0);
  });
});
