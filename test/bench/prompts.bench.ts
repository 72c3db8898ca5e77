/**
 * Cost of a text for a task: finding its version and reading it, with a text of 200 kB, processor time, median of
 * rounds; and the memory that tasks take that keep their texts. Exits 1 above 1 µs, or if a text is copied.
 */
import { namedTexts } from 'rsi-loop/prompts';
import { TextTable } from '../../integrations/prompts/text-table.js';
import type { TextEffect } from '../../integrations/prompts/text-use.js';
import { type TextFix, textsOf } from '../../integrations/prompts/versions-of-task.js';
import type { Fix } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import type { ArmAssignment } from '../../src/contract/start.js';
import type { Trial } from '../../src/contract/trial.js';
import { versionOf } from '../../src/lib/text-version.js';
import { RSILoop } from '../../src/loop.js';

const LOOK_UPS = 300_000;
const ROUNDS = 9;
const KEPT = 2_000;
const MAX_US = 1;
const OWN = 'You answer {{customer}}. '.repeat(8_192);
const NEW = `${OWN}Cite the source.`;
const TASK = { task: 'answer' };
const BEGAN_MS = 10;

const versionOfText = (text: string) => ({ text, version: versionOf(text) });
const effect: TextEffect = {
  name: 'system',
  ...versionOfText(NEW),
  before: versionOfText(OWN),
  replaces: [versionOf(OWN)],
};

/** A trial of a version, as the loop keeps it. */
function active(unit: Trial['unit']): readonly TextFix[] {
  const trial = { fixId: 'a' as FixId, unit, scope: TASK, share: 0.5, openedMs: 0, seed: 1 } as unknown as Trial; // the parts that are read
  const fix = { id: 'a' as FixId, change: { scope: TASK }, trial } as unknown as Fix; // likewise
  return [{ fix, steps: [{ sinceMs: 1, status: 'trial', trial }], text: effect }];
}

const table = new TextTable({ system: { text: OWN } });
const armOf = (index: number): readonly ArmAssignment[] => [
  { fixId: 'a' as FixId, unit: 'u', arm: index % 2 === 0 ? 'fix' : 'control', share: 0.5 },
];
const arms = [armOf(0), armOf(1)];
const lookUp = (from: readonly TextFix[], index: number, session?: string) => {
  const about = {
    scope: TASK,
    arms: arms[index % 2] ?? [],
    session,
    beganMs: session === undefined ? undefined : BEGAN_MS,
  };
  return table.lookup('answer', textsOf(from, about), session).system ?? '';
};

const [byTask, bySession] = [active('task'), active('session')];
const rows: Record<string, (index: number) => string> = {
  'no version on trial': (index) => lookUp([], index),
  'a version on trial by task': (index) => lookUp(byTask, index),
  'a version on trial by session': (index) => lookUp(bySession, index, 's-17'),
};

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
console.log(`a text of ${OWN.length} characters`.padEnd(40), 'µs/look-up');
for (const [name, call] of Object.entries(rows)) {
  const times: number[] = [];
  let letters = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    for (let index = 0; index < LOOK_UPS; index++) letters += call(index).length;
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / LOOK_UPS);
  }
  const us = median(times);
  console.log(name.padEnd(40), us.toFixed(3).padStart(10));
  if (us > MAX_US || letters === 0) process.exitCode = 1;
}

const loop = new RSILoop({ prompts: namedTexts({ system: { text: OWN } }) });
await loop.ready();
const before = process.memoryUsage().rss;
const kept = Array.from({ length: KEPT }, () => loop.begin('answer').prompts.system ?? '');
const grownMb = (process.memoryUsage().rss - before) / 1_048_576;
const copiedMb = (KEPT * OWN.length) / 1_048_576;
console.log(
  `memory of ${kept.length} tasks that keep it: ${grownMb.toFixed(0)} MB; copies would be ${copiedMb.toFixed(0)} MB`,
);
if (grownMb > copiedMb / 10) process.exitCode = 1;
await loop.close();
