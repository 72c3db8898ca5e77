import { FileStore } from 'rsi-loop/node';
import type { FaultReport } from '../../../node/store-faults.js';
import { forgeEnds } from './forged-ends.js';
import { type HostileScale, sendHostile } from './hostile.js';
import { ServerChild } from './server-child.js';

const FORGED = 50;

/**
 * Floods a server that stores in `folder` with silent and broken connections and forged ends, while another sender goes on.
 * What that one was answered 201 for is in the store once; nothing else is.
 */
export async function attackServer(folder: string, scale: HostileScale): Promise<FaultReport> {
  const server = await ServerChild.start(folder);
  const broken: string[] = [];
  let good = 0;
  let escapes = 0;
  let cases = 0;
  try {
    const report = await sendHostile(server, scale);
    good = scale.goodRequests + report.good;
    cases = scale.connections + Object.keys(report.answers).length + FORGED;
    escapes = report.wronglyAccepted + (await forgeEnds(server.url, FORGED));
    if (report.goodFailed > 0) broken.push(`${report.goodFailed} good requests failed`);
    if (report.leftBytes > 64_000_000) broken.push(`the server keeps ${report.leftBytes} bytes`);
    if (escapes !== 0) broken.push(`${escapes} forbidden records or ends were taken`);
  } finally {
    await server.stop();
  }
  const ids: string[] = [];
  const store = new FileStore(folder);
  for await (const { record } of store.journal.read()) if (record.kind === 'outcome') ids.push(record.outcome.id);
  await store.close();
  const kept = new Set(ids).size;
  // The rightful end of each task is kept as well.
  const lost = Math.max(0, good + FORGED - kept);
  const doubled = ids.length - kept;
  if (lost + doubled > 0) broken.push(`${lost} records are lost and ${doubled} there twice`);
  return { tried: cases, broken, lost, doubled, escapes };
}
