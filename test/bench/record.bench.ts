/**
 * Cost for the host of recording one outcome, beside a pino log call of the same object, in one process.
 * Ratios are what counts; the machine's own speed drops out.
 */
import { openSync } from 'node:fs';
import pino from 'pino';
import type { Outcome } from '../../src/contract/outcome.js';
import { idMaker } from '../../src/lib/ids.js';
import { Observer } from '../../src/observe/observer.js';

const ROUNDS = 7;
const CALLS = 20_000;

const kept: (Outcome | undefined)[] = new Array(1024);
let taken = 0;
const clock = { now: () => Date.now() };
const observer = new Observer({
  clock,
  newId: idMaker('bench'),
  into: {
    take: (outcome) => {
      kept[taken++ & 1023] = outcome;
    },
  },
  report: ({ message }) => {
    throw new Error(message);
  },
});
const log = pino({ base: null }, pino.destination({ fd: openSync('/dev/null', 'w'), sync: false }));

const success = {
  success: true,
  model: 'sonnet',
  durationMs: 812,
  tokens: { input: 1200, output: 350 },
  session: 's-42',
};
const failure = { ...success, success: false, error: 'connect ECONNREFUSED 127.0.0.1:8000' };
const rich = {
  ...failure,
  tool: 'search',
  context: { region: 'eu-west-1', attempt: 2, url: 'https://api.example.com/v1' },
};
/** As a host writes it: an object per call. One made by spreading another would cost both sides more than the call. */
const failed = (error: string) => ({
  success: false,
  model: 'sonnet',
  durationMs: 812,
  tokens: { input: 1200, output: 350 },
  session: 's-42',
  error,
});
const logged = (fields: object) => ({ task: 'api_call', source: 'generic', atMs: Date.now(), ...fields });

interface Case {
  readonly name: string;
  readonly record: (index: number) => void;
  readonly log: (index: number) => void;
}

const cases: readonly Case[] = [
  {
    name: 'a success',
    record: () => observer.recordSimple('api_call', success),
    log: () => log.info(logged(success), 'outcome'),
  },
  {
    name: 'a failure, message seen before',
    record: () => observer.recordSimple('api_call', failure),
    log: () => log.info(logged(failure), 'outcome'),
  },
  {
    name: 'a failure, every message new',
    record: (index) => observer.recordSimple('api_call', failed(`connect ETIMEDOUT 10.0.0.1:${index}`)),
    log: (index) => log.info(logged(failed(`connect ETIMEDOUT 10.0.0.1:${index}`)), 'outcome'),
  },
  {
    name: 'a failure with context',
    record: () => observer.recordSimple('api_call', rich),
    log: () => log.info(logged(rich), 'outcome'),
  },
  {
    name: 'a mix: 9 successes, 1 failure',
    record: (index) => observer.recordSimple('api_call', index % 10 === 0 ? failure : success),
    log: (index) => log.info(logged(index % 10 === 0 ? failure : success), 'outcome'),
  },
];

function nanosecondsPerCall(call: (index: number) => void, round: number): number {
  const started = process.hrtime.bigint();
  for (let index = 0; index < CALLS; index++) call(round * CALLS + index);
  return Number(process.hrtime.bigint() - started) / CALLS;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

/** Each call timed alone, which adds about 50 ns to each. */
function quantilesUs(call: (index: number) => void): {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
} {
  const times = new Float64Array(CALLS);
  for (let index = 0; index < CALLS; index++) {
    const started = process.hrtime.bigint();
    call(index);
    times[index] = Number(process.hrtime.bigint() - started) / 1000;
  }
  times.sort();
  const at = (share: number) => times[Math.floor(share * CALLS)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999) };
}

console.log('case                              recordSimple     pino   ratio   p50 us  p99 us  p99.9 us   bytes/call');
for (const { name, record, log: write } of cases) {
  const recorded: number[] = [];
  const written: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    recorded.push(nanosecondsPerCall(record, round));
    written.push(nanosecondsPerCall(write, round));
    await new Promise((resolve) => log.flush(resolve));
  }
  // The least disturbed round of each: other work on the machine only ever adds time.
  const [ours, theirs] = [Math.min(...recorded), Math.min(...written)];
  const { p50, p99, p999 } = quantilesUs(record);
  console.log(
    `${name.padEnd(32)} ${ours.toFixed(0).padStart(9)} ns ${theirs.toFixed(0).padStart(5)} ns ${(ours / theirs).toFixed(2).padStart(6)}` +
      `${p50.toFixed(2).padStart(9)}${p99.toFixed(2).padStart(8)}${p999.toFixed(2).padStart(10)}${bytesPerCall(record).toFixed(0).padStart(12)}`,
  );
}

/** Growth of the heap over calls few enough that nothing is collected meanwhile. */
function bytesPerCall(call: (index: number) => void): number {
  const calls = 2_000;
  const growths = Array.from({ length: 5 }, () => {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < calls; index++) call(index);
    return (process.memoryUsage().heapUsed - before) / calls;
  });
  return median(growths);
}
