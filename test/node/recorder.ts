/**
 * A process that records into a folder until it is killed. It says on standard output, synchronously, what it was
 * promised: `f <n>` the first n of its records are safe, `d <n>` decision n of it is in the ledger.
 */
import { writeSync } from 'node:fs';
import type { LedgerEntry, OutcomeId } from 'rsi-loop';
import { FileStore } from '../../src/node/index.js';

const [folder = '', mode = '', first = '0', count = '0'] = process.argv.slice(2);
const store = new FileStore(folder, { segmentBytes: 60_000 });
const say = (text: string) => writeSync(1, `${text}\n`);

function write(number: number): void {
  store.journal.append([
    {
      kind: 'outcome',
      outcome: {
        id: `o${number}` as OutcomeId, // the parent looks for these
        task: 'api_call',
        success: true,
        atMs: Date.now(),
        source: 'generic',
        issues: [],
        actual: 'x'.repeat(number % 300),
      },
    },
  ]);
}

async function decide(reason: string): Promise<void> {
  const entry: LedgerEntry = { kind: 'frozen', atMs: Date.now(), by: store.journal.writer, reason };
  for (let head = await store.ledger.head(); ; ) {
    const result = await store.ledger.append([entry], head);
    if (result.kind === 'ok') return;
    head = result.head;
  }
}

async function record(): Promise<void> {
  const end = Number(first) + Number(count);
  for (let number = Number(first); number < end; ) {
    for (let batch = 0; batch < 25 && number < end; batch++) write(number++);
    await store.journal.flush();
    say(`f ${number}`);
    if (number % 500 === 0) {
      await decide(`at ${number}`);
      say(`d ${number}`);
    }
  }
}

say('ready');
if (mode === 'record') {
  await record();
  await store.close();
  say('done');
} else {
  for (let number = 0; number < 1_000; number++) write(number);
  say('written');
  if (mode === 'exit') process.exit(0);
  if (mode === 'throw') throw new Error('the host fails');
  // `end`: nothing keeps the process alive. `wait`: the parent sends a signal.
  if (mode === 'wait' || mode === 'own-handler') setInterval(() => {}, 1_000);
  if (mode === 'own-handler') {
    process.on('SIGTERM', () => {
      say('the host goes on');
      process.exit(7);
    });
  }
}
