import { agentPatterns, RSILoop } from 'rsi-loop';

const loop = new RSILoop();
for (let call = 0; call < 20; call++) {
  const isDown = call % 5 === 0;
  const error = isDown ? { error: { message: 'search index is not reachable' } } : {};
  const record = { success: !isDown, ...error };
  // `parent` is the id of the task around it; outcomes come when tasks end, so the innermost comes first.
  loop.observer.record({ ...record, id: `s${call}`, parent: `r${call}`, task: 'search', tool: 'web-search' });
  loop.observer.record({ ...record, id: `r${call}`, parent: `a${call}`, task: 'research', agent: 'researcher' });
  loop.observer.record({ ...record, id: `a${call}`, task: 'answer', agent: 'lead' });
}
await loop.flush();

for (const members of [{ agent: 'lead' }, { agent: 'researcher' }, { team: 'lead' }, {}]) {
  const { failures, passedOn, patterns } = await agentPatterns(loop, members);
  console.log(members, `${failures} failures, ${passedOn} more because of them:`, patterns[0]?.template);
}
await loop.close();
