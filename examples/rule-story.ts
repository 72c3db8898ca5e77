import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { selectModel } from 'rsi-loop/models';
import { DiskWorkspace } from 'rsi-loop/node';

const folder = mkdtempSync(join(tmpdir(), 'agent-'));
const file = join(folder, 'AGENTS.md');
writeFileSync(file, '# How we work\n\n- Answer in plain words.\n');
const before = readFileSync(file, 'utf8');

// Where a model server runs it words the rule; without one a template does.
const { model } = await selectModel();
const loop = new RSILoop({ workspace: new DiskWorkspace(folder), ...(model && { model }) });
loop.on('problem', ({ where, message }) => console.log(`problem in ${where}: ${message}`));

// Ten failures that no retry can mend.
for (let index = 0; index < 10; index++) {
  loop.observer.recordFailure({
    agent: 'writer',
    task: 'report',
    issues: ['incomplete_task'],
    expected: 'five points',
    actual: `${index % 4} points`,
    severity: 'high',
  });
}
const { fixes } = await loop.runCycle();
const id = fixes[0]?.id ?? '';
const { fix, diff } = loop.explain(id);
console.log(`${fix.status}: ${fix.reason}\n${diff}`);

// A person looks at it and says yes. From now on half of the sessions are given the rule.
await loop.approve(id, { by: 'ada', reason: 'worth a try' });

/** A session of an agent that does what its advice and its file say; a rule may help it, or harm. */
async function session(name: string, failsWith: number, failsWithout: number) {
  const open = loop.begin('writing', { session: name });
  const inFile = readFileSync(file, 'utf8').includes(id);
  const isLeftOut = open.advice.some((line) => line.includes(`leave out rule ${id}`));
  const follows = inFile ? !isLeftOut : open.advice.length > 0;
  for (let report = 0; report < 5; report++) {
    const failed = Math.random() < (follows ? failsWith : failsWithout);
    if (failed) loop.observer.recordFailure({ task: 'report', issues: ['incomplete_task'], session: name });
    else loop.observer.recordSimple('report', { success: true, session: name });
  }
  open.end({ success: true });
  loop.endSession(name);
  await new Promise((done) => setTimeout(done, 1)); // sessions begin one after another
}

let sessions = 0;
async function until(step: 'verdict' | 'fix-rolled-back', failsWith: number, failsWithout: number) {
  let happened = '';
  const stop = loop.on(step, (event) => {
    happened = event.kind === 'verdict' ? event.verdict.kind : `${event.kind}: ${event.reason}`;
  });
  for (const upTo = sessions + 3_000; sessions < upTo && happened === ''; ) {
    for (let ten = 0; ten < 10; ten++) await session(`session ${sessions++}`, failsWith, failsWithout);
    await loop.runCycle();
  }
  stop();
  console.log(`after ${sessions} sessions: ${happened}\n`);
}

await until('verdict', 0.1, 0.6);
console.log(readFileSync(file, 'utf8'));

// One day the rule does harm: sessions that leave it out do better.
await until('fix-rolled-back', 0.6, 0.05);
console.log(readFileSync(file, 'utf8') === before ? 'the file is as it was, to the byte' : 'the file differs');
await loop.close();
