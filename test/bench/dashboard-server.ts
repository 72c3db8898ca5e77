/**
 * The serving process of `dashboard-page.ts`: `dashboard-server FOLDER ASSETS`. It opens the store at the first message, so
 * that neither the start of Node nor that of the browser is measured, and answers with the port and the time of opening.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { FollowedFolder } from '../../integrations/cli/dashboard/followed-folder.js';
import { mountViews } from '../../integrations/dashboard/server/mount.js';
import type { DashboardEvent, ViewSource } from '../../integrations/dashboard/views.js';

/** Figures of this process since it was last asked. */
export interface ServerFigures {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly heapBytes: number;
}

/** Answer to `open`: the port, and when the opening of the store began, in epoch milliseconds. */
export interface Opened {
  readonly port: number;
  readonly atMs: number;
}

export type Ask = 'open' | 'figures' | 'events';

/** Events of each kind per `events`. */
export const EVENTS_AT_ONCE = 50;
const RESOLUTION_MS = 1;

const [folder = '', assets = ''] = process.argv.slice(2);
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
const handlers = new Set<(event: DashboardEvent) => void>();

async function open(): Promise<void> {
  const atMs = performance.timeOrigin + performance.now();
  delays.enable();
  const source: ViewSource = await FollowedFolder.open(folder);
  const dashboard = mountViews(
    {
      view: (name, params) => source.view(name, params),
      decide: (request) => source.decide(request),
      close: () => source.close(),
      onEvent: (handler) => {
        handlers.add(handler);
        const end = source.onEvent(handler);
        return () => {
          handlers.delete(handler);
          end();
        };
      },
    },
    { assets },
    { onProblem: console.error },
  );
  const server = createServer((request, response) => dashboard.handle(request, response));
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port, atMs }));
}

function emitEvents(): void {
  for (let times = 0; times < EVENTS_AT_ONCE; times++) {
    for (const handler of handlers) {
      handler({ kind: 'happened', atMs: Date.now(), sentence: `Event ${times}.` });
      handler({ kind: 'changed', views: ['overview', 'patterns'] });
    }
  }
}

process.on('message', (ask: Ask) => {
  if (ask === 'open') {
    void open();
    return;
  }
  const inMs = (ns: number) => Math.max(0, ns / 1e6 - RESOLUTION_MS);
  const waits = { p50Ms: inMs(delays.percentile(50)), p99Ms: inMs(delays.percentile(99)), maxMs: inMs(delays.max) };
  if (ask === 'events') emitEvents();
  else globalThis.gc?.();
  process.send?.({ ...waits, heapBytes: process.memoryUsage().heapUsed } satisfies ServerFigures);
  if (ask === 'figures') setImmediate(() => delays.reset());
});
