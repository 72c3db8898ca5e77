import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { FileStore, verifyLedger } from 'rsi-loop/node';
import type { EraseFilter } from '../../src/contract/erasure.js';
import { seededRandom } from '../../src/lib/random.js';
import { filesIn } from '../node/folder.js';
import type { FaultReport } from '../node/store-faults.js';

/** Names that no other record holds. */
const NAME = 'Zebediah Quux';
const OTHER = 'Ottoline Vance';
const FIELDS = ['text', 'session', 'agent', 'source'] as const;

/** Part of every record of the person who is erased. */
function isHeld(text: string): boolean {
  return text.includes('Zebediah');
}

/** The files of a folder that hold something of that person. */
export function filesHolding(folder: string): readonly string[] {
  return filesIn(folder).filter((path) => isHeld(readFileSync(path, 'latin1')));
}

/** Everything that a loop shows of its records. */
export function shownBy(loop: RSILoop): string {
  return JSON.stringify([loop.patterns(), loop.fixes(), loop.health(), loop.fixes().map(({ id }) => loop.explain(id))]);
}

/**
 * Records two people into folders that two loops share, and erases one of them: by text, session, agent or source, from the
 * loop that leads or from the other. Nothing of that person is left in a file, a loop or a loop that starts later; nothing
 * of the other person is gone, and the chain of the ledger is whole.
 */
export async function eraseEverything(folder: string, rounds: number, seed: number): Promise<FaultReport> {
  const random = seededRandom(seed);
  const broken: string[] = [];
  let lost = 0;
  let left = 0;
  for (let round = 0; round < rounds; round++) {
    const field = FIELDS[round % FIELDS.length] ?? 'text';
    const result = await eraseOnce(mkdtempSync(join(folder, 'erase-')), field, random() < 0.5);
    lost += result.lost;
    left += result.left.length;
    broken.push(...result.broken.map((what) => `round ${round}, by ${field}: ${what}`));
  }
  return { tried: rounds, broken, lost, left };
}

const RECORDS = 60;

async function eraseOnce(
  data: string,
  field: (typeof FIELDS)[number],
  fromOther: boolean,
): Promise<{ readonly lost: number; readonly left: readonly string[]; readonly broken: readonly string[] }> {
  const broken: string[] = [];
  const first = new RSILoop({ store: new FileStore(data) });
  record(first);
  await first.runCycle();
  const [fix] = first.fixes();
  if (fix) await first.reject(fix.id, { by: 'me', reason: `${NAME} asked for it` });
  await first.runCycle();
  await first.flush();
  if (filesHolding(data).length === 0) broken.push('nothing was there to erase');
  const second = new RSILoop({ store: new FileStore(data) });
  await second.ready();

  const eraser = fromOther ? second : first;
  for (const filter of filtersBy(field)) await eraser.erase(filter, { by: 'me' });
  for (const loop of [first, second, first]) {
    const { unfinished } = await loop.runCycle();
    if (unfinished !== undefined) broken.push(`a cycle was not finished: ${unfinished}`);
  }
  if ([first, second].some((loop) => isHeld(shownBy(loop)))) broken.push('a running loop still shows it');
  await first.close();
  await second.close();
  const left = filesHolding(data);
  if (left.length > 0) broken.push(`it is left in ${left.length} files: ${left[0]}`);
  const { faults } = await verifyLedger(data);
  if (faults.length > 0) broken.push(`the ledger has a fault: ${faults[0]?.message}`);

  const next = new RSILoop({ store: new FileStore(data) });
  await next.ready();
  if (isHeld(shownBy(next))) broken.push('a loop that starts later shows it');
  let others = 0;
  for await (const { record: kept } of next.store.journal.read()) {
    if (kept.kind === 'outcome' && kept.outcome.agent === 'other') others++;
  }
  await next.close();
  const lost = RECORDS - others;
  if (lost > 0) broken.push(`${lost} records of the other person are gone`);
  return { lost, left, broken };
}

/** By each field: everything that says who the person is. */
function filtersBy(field: (typeof FIELDS)[number]): readonly EraseFilter[] {
  switch (field) {
    case 'text':
      return [{ text: 'Zebediah' }];
    case 'session':
      return [0, 1, 2].map((session) => ({ session: `zeb-${session}` }));
    case 'agent':
      return [{ agent: 'zeb' }];
    case 'source':
      return [{ source: 'zeb' }];
    default:
      return field satisfies never;
  }
}

/** Tasks of two people; half of them fail, and say whose mail it was. */
function record(loop: RSILoop): void {
  for (let index = 0; index < 2 * RECORDS; index++) {
    const isZeb = index % 2 === 0;
    const [name, key] = isZeb ? [NAME, 'zeb'] : [OTHER, 'other'];
    loop.observer.record({
      task: isZeb ? 'mail' : 'call',
      session: `${key}-${index % 3}`,
      agent: key,
      source: key,
      success: index % 4 < 2,
      ...(index % 4 >= 2 && { error: `could not send to ${name}: 404 mailbox not found`, issues: ['not_found'] }),
      actual: `to ${name}`,
      context: { user: name },
    });
  }
}
