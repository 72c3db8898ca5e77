import type { SandboxFailure } from 'rsi-loop/sandbox';
import type { WasmEscape } from './wasi-escapes.js';

const WASI = 'wasi_snapshot_preview1';
const MEMORY = '(memory (export "memory") 1)';
const import_ = (name: string, id: string, params: string) =>
  `(import "${WASI}" "${name}" (func $${id} (param ${params}) (result i32)))`;
const WRITE = import_('fd_write', 'write', 'i32 i32 i32 i32');
const READ = import_('fd_read', 'read', 'i32 i32 i32 i32');
const PREAD = import_('fd_pread', 'pread', 'i32 i32 i32 i64 i32');
const OPEN = import_('path_open', 'open', 'i32 i32 i32 i32 i32 i64 i64 i32 i32');
/** Opens the name at 100 below the first allowed folder; its descriptor is at 20. */
const opened = (length: number) =>
  `(drop (call $open (i32.const 3) (i32.const 0) (i32.const 100) (i32.const ${length}) (i32.const 0) (i64.const -1) (i64.const -1) (i32.const 0) (i32.const 20)))`;
/** Writes the digit at 106 as output. */
const SAY = `(i32.store (i32.const 0) (i32.const 106)) (i32.store (i32.const 4) (i32.const 1))
  (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))`;
const data = (name: string) => `(data (i32.const 100) "${name}") (data (i32.const 106) "1")`;
const vector = (at: number, length: number) =>
  `(i32.store (i32.const 0) (i32.const ${at})) (i32.store (i32.const 4) (i32.const ${length}))`;

const module = (head: string, body: string) => `(module ${head} (func (export "_start") ${body}))`;
const fails = (...reasons: SandboxFailure[]): WasmEscape['ends'] => ({ reasons });
const ONE: WasmEscape['ends'] = { output: '1' };

/** Programs that take more of the host than a limit allows. The folder holds `big`, a large file, and `ok.t`. */
export function wasiLimits(folder: string): readonly WasmEscape[] {
  const files = { allow: { read: [folder] }, limits: { timeMs: 300, memoryBytes: 4 << 20 } };
  const make = (name: string, ends: WasmEscape['ends'], head: string, body: string): WasmEscape => ({
    name,
    ends,
    module: module(`${head} ${MEMORY}`, body),
    options: files,
  });
  const big = `${OPEN} ${data('big')}`;
  return [
    make(
      'reading a large file at once, again and again',
      fails('timeout', 'error'),
      `${READ} ${OPEN} ${data('big')}`,
      `${opened(3)} ${vector(0, 2_000_000_000)} (loop $l (drop (call $read (i32.load (i32.const 20)) (i32.const 0) (i32.const 1) (i32.const 8))) (br $l))`,
    ),
    make(
      'reading a large file into many places',
      fails('timeout', 'error'),
      `${PREAD} ${big}`,
      `${opened(3)} ${vector(1_000, 60_000)} (loop $l (drop (call $pread (i32.load (i32.const 20)) (i32.const 0) (i32.const 1) (i64.const 0) (i32.const 8))) (br $l))`,
    ),
    make(
      'reading at a negative place',
      ONE,
      `${PREAD} ${WRITE} ${big}`,
      `${opened(3)} ${vector(1_000, 100)} (drop (call $pread (i32.load (i32.const 20)) (i32.const 0) (i32.const 1) (i64.const -9) (i32.const 8))) ${SAY}`,
    ),
    make(
      'reading behind the end',
      ONE,
      `${PREAD} ${WRITE} ${big}`,
      `${opened(3)} ${vector(1_000, 100)} (drop (call $pread (i32.load (i32.const 20)) (i32.const 0) (i32.const 1) (i64.const 9000000000000000000) (i32.const 8))) ${SAY}`,
    ),
    make('leaving a file open', ONE, `${OPEN} ${WRITE} ${data('ok.t')}`, `${opened(4)} ${SAY}`),
    make(
      'leaving files open and trapping',
      fails('error'),
      `${OPEN} ${data('ok.t')}`,
      `${opened(4)} ${opened(4)} ${opened(4)} unreachable`,
    ),
    make('opening one file too many', fails('calls'), `${OPEN} ${data('ok.t')}`, `(loop $l ${opened(4)} (br $l))`),
    make(
      'sleeping for an hour',
      fails('timeout'),
      import_('poll_oneoff', 'poll', 'i32 i32 i32 i32'),
      `(i32.store (i32.const 16) (i32.const 1)) (i64.store (i32.const 24) (i64.const 3600000000000)) (drop (call $poll (i32.const 0) (i32.const 128) (i32.const 1) (i32.const 200)))`,
    ),
    make(
      'a loop of clocks',
      fails('timeout'),
      import_('clock_time_get', 'clock', 'i32 i64 i32'),
      `(loop $l (drop (call $clock (i32.const 0) (i64.const 0) (i32.const 8))) (br $l))`,
    ),
    make(
      'random numbers without end',
      fails('timeout', 'error'),
      import_('random_get', 'random', 'i32 i32'),
      `(loop $l (drop (call $random (i32.const 0) (i32.const -1))) (br $l))`,
    ),
    make(
      'a path as long as all addresses',
      ONE,
      `${OPEN} ${WRITE} ${data('ok.t')}`,
      `(drop (call $open (i32.const 3) (i32.const 0) (i32.const 0) (i32.const -1) (i32.const 0) (i64.const -1) (i64.const -1) (i32.const 0) (i32.const 20))) ${SAY}`,
    ),
    make(
      'errors without end',
      fails('timeout', 'memory'),
      WRITE,
      `${vector(0, 60_000)} (loop $l (drop (call $write (i32.const 2) (i32.const 0) (i32.const 1) (i32.const 8))) (br $l))`,
    ),
    make(
      'moving its output over a file',
      fails('error', 'output', 'timeout'),
      `${OPEN} ${import_('fd_renumber', 'move', 'i32 i32')} ${data('ok.t')}`,
      `${opened(4)} (drop (call $move (i32.load (i32.const 20)) (i32.const 1)))`,
    ),
    make(
      'closing what it has not opened',
      fails('error'),
      import_('fd_close', 'close', 'i32'),
      `(drop (call $close (i32.const 0))) (drop (call $close (i32.const 1))) (drop (call $close (i32.const 2))) (drop (call $close (i32.const 3)))`,
    ),
    make(
      'as many vectors as fit into its memory',
      fails('memory', 'error', 'timeout', 'crashed'),
      `${READ} (memory (export "memory") 64)`.replace(MEMORY, ''),
      `(drop (call $read (i32.const 0) (i32.const 0) (i32.const 500000) (i32.const 8))) (loop $l (br $l))`,
    ),
  ].map((each) => ({
    ...each,
    module: each.module.replace(`(memory (export "memory") 64) ${MEMORY}`, '(memory (export "memory") 64)'),
  }));
}
