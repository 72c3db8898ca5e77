/**
 * A process with a store in PostgreSQL. It says on standard output, synchronously, what it was promised.
 *
 * `record <first> <count>`: writes and decides until it is killed. `f <n>`: its records before n are safe. `d <reason>`:
 * that decision is in the ledger.
 * `ingest <first> <count>`: writes as fast as the store takes records, after a line on standard input. `f <n>` at the end.
 * `leave`: writes, and ends without `close`.
 * `follow`: says `saw <length> <ms>` when it knows that length of the ledger.
 */
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerEntry } from 'rsi-loop';
import { PostgresStore } from 'rsi-loop/stores/postgres';
import { benchRecord } from './bench-record.js';

const [url = '', schema = '', mode = '', first = '0', count = '0'] = process.argv.slice(2);
const store = new PostgresStore({ url, schema, connectTimeoutMs: 1_000, queryTimeoutMs: 5_000, flushMs: 5 });
const say = (text: string) => writeSync(1, `${text}\n`);
const end = Number(first) + Number(count);

async function flushed(): Promise<void> {
  while (
    !(await store.journal.flush().then(
      () => true,
      () => false,
    ))
  )
    await sleep(20);
}

/** Appends one decision. Returns its reason, or undefined if the server did not answer. */
async function decide(reason: string): Promise<string | undefined> {
  const entry: LedgerEntry = { kind: 'frozen', atMs: Date.now(), by: store.journal.writer, reason };
  try {
    for (let head = await store.ledger.head(); ; ) {
      const result = await store.ledger.append([entry], head);
      if (result.kind === 'ok') return reason;
      head = result.head;
    }
  } catch {
    return undefined;
  }
}

async function record(): Promise<void> {
  for (let number = Number(first); number < end; ) {
    for (let batch = 0; batch < 25 && number < end; batch++) store.journal.append([benchRecord(number++)]);
    await flushed();
    say(`f ${number}`);
    if (number % 250 !== 0) continue;
    const decided = await decide(`${store.journal.writer} at ${number}`);
    if (decided !== undefined) say(`d ${decided}`);
  }
}

async function ingest(): Promise<void> {
  await store.ledger.head();
  say('ready');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  for (let number = Number(first); number < end; ) {
    for (let batch = 0; batch < 500 && number < end; batch++) store.journal.append([benchRecord(number++)]);
    // As a host does between tasks.
    await new Promise(setImmediate);
    while (store.journal.queued > 40_000) await sleep(1);
  }
  await flushed();
  say(`f ${end}`);
}

async function follow(): Promise<void> {
  const look = async () => {
    const { length } = await store.ledger.head();
    say(`saw ${length} ${Date.now()}`);
  };
  store.ledger.onAppended(() => void look());
  await look();
  say('ready');
  await new Promise((resolve) => process.stdin.once('data', resolve));
}

if (mode === 'leave') {
  store.ledger.onAppended(() => {});
  for (let number = Number(first); number < end; number++) store.journal.append([benchRecord(number)]);
} else {
  if (mode === 'record') {
    say('ready');
    await record();
  } else if (mode === 'ingest') await ingest();
  else await follow();
  await store.close();
  process.stdin.destroy();
  say('done');
}
