import { RSILoop } from 'rsi-loop';

// Nothing is tried without a person: `autoFix: false`, and every proposal waits.
const loop = new RSILoop({ autoFix: false });
for (let call = 0; call < 300; call++) {
  await loop
    .run('fetch_page', async () => {
      if (call % 5 === 0) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    })
    .catch(() => {});
}
await loop.runCycle();

const [proposal] = loop.fixes({ status: 'proposed' });
if (proposal) {
  console.log(proposal.reason, proposal.forecast);
  await loop.approve(proposal.id, { by: 'ada', reason: 'worth a try' });
  await loop.runCycle(); // the trial begins
  console.log(loop.explain(proposal.id).history.map(({ kind }) => kind));
  await loop.rollback(proposal.id, { by: 'ada', reason: 'not today' });
}
await loop.close();
