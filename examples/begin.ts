import { RSILoop } from 'rsi-loop';

const loop = new RSILoop();

// If you cannot hand over a function: read the settings, do the work yourself, report its end.
// Without `idempotent: true`, `retries.*` stays 0: importing an invoice twice may do harm.
const task = loop.begin('import_invoice', { model: 'sonnet', session: 'nightly' });
const extraAttempts = task.policy['retries.timeout'];
task.end({ success: false, error: new Error('Request timed out after 30 s'), durationMs: 30_000 });

await loop.ready(); // what a store holds is read first; until then health is 1
console.log(`allowed ${extraAttempts} more attempts; health ${loop.healthScore()}`);
await loop.close();
