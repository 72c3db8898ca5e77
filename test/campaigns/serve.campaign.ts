/**
 * 10,000 connections that never send a whole request, bodies of 1 GB, bad UTF-8, half-closed connections, while a client
 * keeps sending outcomes. At most +64 MB of memory, every good request answered, nothing accepted that should not be.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendHostile } from '../integrations/sources/http/hostile.js';
import { ServerChild } from '../integrations/sources/http/server-child.js';

const MOST_BYTES = 64_000_000;
const folder = mkdtempSync(join(tmpdir(), 'rsi-campaign-serve-'));
const server = await ServerChild.start(folder);
try {
  const report = await sendHostile(server, { connections: 10_000, bytes: 1_000_000_000, goodRequests: 30_000 });
  for (const [name, answer] of Object.entries(report.answers)) console.log(`${name.padEnd(38)} ${answer}`);
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(`connections opened: 10,000, ${report.opened} of them still open at the end`);
  console.log(
    `good requests meanwhile: ${report.good} answered, ${report.goodFailed} failed, the slowest ${report.slowestGoodMs.toFixed(0)} ms`,
  );
  console.log(`accepted that should not be: ${report.wronglyAccepted}`);
  console.log(`memory: +${megabytes(report.peakBytes)} at its peak, +${megabytes(report.leftBytes)} afterwards`);
  if (report.goodFailed > 0 || report.wronglyAccepted !== 0 || report.peakBytes > MOST_BYTES) process.exitCode = 1;
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
