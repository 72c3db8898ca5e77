import { describeFix, RSILoop } from 'rsi-loop';

const loop = new RSILoop();
for (let day = 0; day < 10; day++) {
  // A person or a check noticed it. Nothing was thrown.
  loop.observer.recordFailure({
    task: 'weekly_report',
    issues: ['incomplete_task'],
    expected: 'five points',
    actual: `${day % 4} points`,
  });
  loop.observer.recordSimple('weekly_report', { success: true });
}
const { fixes } = await loop.runCycle();
for (const fix of fixes) {
  console.log(`${fix.status}: ${describeFix(loop, fix).title}`);
  console.log(fix.reason);
}
// From now on, half of the sessions get the rule as advice: loop.begin(task, { session }).advice
const [rule] = fixes;
if (rule) console.log((await loop.approve(rule.id, { by: 'ada', reason: 'three people asked for it' })).status);
await loop.close();
