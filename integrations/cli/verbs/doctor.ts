import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Option } from 'commander';
import { LoopError } from 'rsi-loop';
import type { FileStore, StoreCheck } from 'rsi-loop/node';
import { version } from '../../../package.json';
import { checkStore } from '../../reports/check-store.js';
import { checkSignatures } from '../../reports/signatures.js';
import { checkReplay } from '../doctor/compare-replay.js';
import { renderChecks } from '../doctor/render-doctor.js';
import { checkWitness } from '../doctor/witness.js';
import { EXIT } from '../exit.js';
import { checkStudies } from '../prove/check-studies.js';
import { loadRedis, redisOption } from '../redis.js';
import { mustBeStore } from '../store/check-folder.js';
import { isDatabase, shownStore } from '../store/database.js';
import { openStore } from '../store/open-store.js';
import { lookAt } from '../terminal/look.js';
import { print } from '../terminal/output.js';
import { jsonOption, type ReadOptions, storeOption, verb } from '../verb.js';

interface Options extends ReadOptions {
  readonly witness?: string;
  readonly redis?: string;
}

/** The verb `rsi doctor`: checks the folder of a loop and says what to do about problems. */
export const doctor = verb<Options>({
  description:
    'Checks the folder or the database of a loop: rights, space, formats, the chain of the ledger, signatures, the saved state against a replay, damaged and missing records, settings of the database or of Redis that lose records, lease, clocks, versions, studies of rsi prove. Changes nothing in it. Ends with exit code 1 if something needs attention. --witness notices a ledger that was rewritten as a whole: it compares the ledger with the end that the last run wrote to a file, which you keep where the processes of the loop cannot write.',
  examples: [
    ['doctor', './rsi_data'],
    ['doctor --store /var/lib/agent/rsi_data', 'another folder'],
    ['doctor --witness /mnt/audit/head.json', 'compare with the last run'],
    ['doctor --redis redis://queue.example:6379', 'also check a server of Redis'],
  ],
  options: [
    storeOption(),
    new Option('--witness <file>', 'compare the ledger with the end in this file, then write the present one'),
    redisOption('also check whether this server of Redis or Valkey keeps its stream'),
    jsonOption(),
  ],
  run: async ({ store, witness, redis, json }) => {
    const folder = isDatabase(store) ? shownStore(store) : resolve(store);
    const checks = [...(await (isDatabase(store) ? checkDatabase(store) : checkFolder(store)))];
    checks.push(...(await checkDecisions(store, checks, witness)));
    if (redis !== undefined) checks.push(...(await checkStream(redis)));
    const document = { format: 'rsi-doctor/1', folder, checks };
    await print({ document, text: renderChecks(folder, checks, lookAt(process.stdout, store)) }, json);
    return checks.every(({ ok }) => ok) ? EXIT.done : EXIT.attention;
  },
});

/** Checks what needs every decision, if the ledger can be read: signatures, saved state, and the end at the last run. */
async function checkDecisions(
  place: string,
  checks: readonly StoreCheck[],
  witness: string | undefined,
): Promise<readonly StoreCheck[]> {
  const isReadable = checks.every(({ name, ok }) => ok || !['folder', 'format', 'foreign'].includes(name));
  if (!isReadable || (!isDatabase(place) && !existsSync(join(place, 'store.json')))) return [];
  const store = await openStore(place, 'read');
  try {
    const signatures = await checkSignatures(store.ledger.read());
    const decided = [signatures, await checkReplay(store)];
    if (witness === undefined) return decided;
    // Both kinds of store have it; it is not part of the port.
    const lines = (store.ledger as FileStore['ledger']).lines();
    return [...decided, await checkWitness(witness, lines, Date.now())];
  } finally {
    await store.close();
  }
}

async function checkFolder(store: string): Promise<readonly StoreCheck[]> {
  await mustBeStore(store, { evenUnmarked: true });
  return [...(await checkStore(resolve(store), version)), ...(await checkStudies(resolve(store)))];
}

async function checkDatabase(url: string): Promise<readonly StoreCheck[]> {
  const { checkPostgres } = await import('rsi-loop/stores/postgres');
  const versions = { name: 'versions', ok: true, found: `rsi-loop ${version}, Node ${process.versions.node}` };
  return [...(await checkPostgres({ url })), versions];
}

/** Checks a server of Redis. One that does not answer is a finding: the checks of the store are printed all the same. */
async function checkStream(url: string): Promise<readonly StoreCheck[]> {
  const { checkRedis } = await loadRedis();
  return checkRedis({ url }).catch((error: unknown) => {
    if (!LoopError.is(error) || error.code !== 'store-failed') throw error;
    const [found = '', ...advice] = error.message.split(/: (?=[^:]*$)/);
    return [{ name: 'redis', ok: false, found, advice: advice.join('') || 'look at the log of the server' }];
  });
}
