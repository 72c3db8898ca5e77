import { RSILoop } from 'rsi-loop';

const loop = new RSILoop();
const session = loop.begin('writing', { session: 'session-1' });
const rules = session.advice.join('\n'); // goes into the agent's instructions; nothing while there are no rules
// The agent works. What happens in the session is recorded with its id:
loop.observer.recordFailure({ task: 'report', session: 'session-1', issues: ['incomplete_task'] });
console.log(rules.length);
session.end({ success: true });
loop.endSession('session-1');
await loop.close();
