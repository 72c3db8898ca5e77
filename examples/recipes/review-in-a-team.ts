import { type Gate, RSILoop } from 'rsi-loop';

// Your own review: a chat message with two buttons, a ticket, a table. Here: changes to retries are fine, others wait.
const gate: Gate = {
  async decide({ target }) {
    const atMs = Date.now();
    if (target.startsWith('retries.')) return { kind: 'approved', by: 'on-call', atMs };
    return { kind: 'waiting', sinceMs: atMs };
  },
};
const loop = new RSILoop({ autoFix: false, gate });
for (let call = 0; call < 300; call++) {
  const work = async () => {
    if (call % 5 === 0) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  };
  await loop.run('fetch_page', work, { idempotent: true }).catch(() => {});
}
await loop.runCycle();
await loop.runCycle();
for (const { target, status, id } of loop.fixes()) {
  console.log(`${target}: ${status}`);
  for (const step of loop.explain(id).history) console.log(`  ${step.kind}`);
}
await loop.close();
