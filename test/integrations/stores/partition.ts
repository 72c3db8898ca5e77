import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerEntry } from 'rsi-loop';
import { migrate, PostgresStore } from 'rsi-loop/stores/postgres';
import { benchRecord } from './bench-record.js';
import { newSchema, type PostgresServer } from './postgres-server.js';
import { TcpProxy } from './tcp-proxy.js';

const decision = (by: string): LedgerEntry => ({ kind: 'frozen', atMs: Date.now(), by, reason: `of ${by}` });

/** Longest time until another process leads, in seconds: the lease of the server, and a margin. */
const LEADS_WITHIN_S = 15;

/**
 * Cuts the process that leads off from the server, as a network that drops all packets does. It and another process
 * record meanwhile, and the other one takes the lead and decides.
 */
export async function runPartition(server: PostgresServer, { seconds }: { readonly seconds: number }) {
  const schema = newSchema();
  await migrate({ url: server.url, schema });
  const proxy = await TcpProxy.open(server.port);
  const cut = new PostgresStore({ url: server.address('admin', { port: proxy.port }), schema });
  const other = new PostgresStore({ url: server.url, schema });
  const lease = await cut.coordination.lease('cycle');
  const before = await cut.ledger.head();
  await other.ledger.head();

  proxy.stall();
  const cutMs = performance.now();
  let records = 0;
  let leadsAfterS: number | undefined;
  while (performance.now() - cutMs < seconds * 1_000) {
    for (const store of [cut, other]) store.journal.append([benchRecord(records++)]);
    if (leadsAfterS === undefined && (await other.coordination.lease('cycle')) !== undefined) {
      leadsAfterS = Math.round((performance.now() - cutMs) / 100) / 10;
      await other.ledger.append([decision('the other')], before);
    }
    await sleep(20);
  }
  const waiting = cut.journal.queued;

  proxy.resume();
  const resumedMs = performance.now();
  while (cut.journal.queued > 0) await cut.journal.flush().catch(() => sleep(20));
  const caughtUpMs = Math.round(performance.now() - resumedMs);
  const late = await cut.ledger.append([decision('the one that was cut off')], before);
  const stillHolds = (await lease?.held()) ?? true;
  await other.journal.flush();
  const numbers: string[] = [];
  for await (const { record } of other.journal.read()) if (record.kind === 'outcome') numbers.push(record.outcome.id);
  await Promise.all([cut.close(), other.close()]);
  await proxy.close();
  const missing = records - new Set(numbers).size;
  const doubled = numbers.length - new Set(numbers).size;
  const broken = [
    ...(missing > 0 ? [`${missing} records are missing`] : []),
    ...(doubled > 0 ? [`${doubled} records are there twice`] : []),
    ...(seconds > LEADS_WITHIN_S && (leadsAfterS ?? seconds) > LEADS_WITHIN_S ? ['no other process leads'] : []),
    ...(leadsAfterS !== undefined && (late.kind === 'ok' || stillHolds) ? ['two processes led'] : []),
  ];
  return { broken, records, waiting, missing, doubled, leadsAfterS, caughtUpMs };
}
