import type { SandboxFailure, SandboxRun } from 'rsi-loop/sandbox';

/** Module in the text format, and how it must end. */
export interface WasmEscape {
  readonly name: string;
  readonly module: string;
  readonly options?: SandboxRun;
  readonly ends: { readonly output: string } | { readonly reasons: readonly SandboxFailure[] };
}

const WASI = 'wasi_snapshot_preview1';
const READ = `(import "${WASI}" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))`;
const WRITE = `(import "${WASI}" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))`;
const OPEN = `(import "${WASI}" "path_open"
  (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))`;
const MEMORY = '(memory (export "memory") 1)';
/** Writes the digit of a number as output. */
const SHOW = `(func $show (param $digit i32)
  (i32.store8 (i32.const 900) (i32.add (i32.const 48) (local.get $digit)))
  (i32.store (i32.const 904) (i32.const 900)) (i32.store (i32.const 908) (i32.const 1))
  (drop (call $write (i32.const 1) (i32.const 904) (i32.const 1) (i32.const 912))))`;

const start = (body: string, head = MEMORY): string => `(module ${head} (func (export "_start") ${body}))`;
const fails = (...reasons: SandboxFailure[]): WasmEscape['ends'] => ({ reasons });
const QUICK = { options: { limits: { timeMs: 150 } } };

/** Opens a path below the first allowed folder and shows 1 if that failed, else 0. */
const opens = (name: string, path: string, flags: number, options: SandboxRun): WasmEscape => ({
  name: `opening ${name}`,
  module: start(
    `(call $show (i32.ne (i32.const 0) (call $open (i32.const 3) (i32.const 1) (i32.const 64) (i32.const ${Buffer.byteLength(path)})
      (i32.const ${flags}) (i64.const -1) (i64.const -1) (i32.const 0) (i32.const 32))))`,
    `${WRITE} ${OPEN} ${MEMORY} (data (i32.const 64) "${path.replaceAll('\0', '\\00')}") ${SHOW}`,
  ),
  options,
  ends: { output: '1' },
});

export function wasiEscapes(data: string): readonly WasmEscape[] {
  const allowed = { allow: { read: [data] } };
  return [
    { name: 'a loop', module: start('(loop $l (br $l))'), ...QUICK, ends: fails('timeout') },
    {
      name: 'growing its memory',
      module: start('(loop $l (if (i32.eq (memory.grow (i32.const 16)) (i32.const -1)) (then unreachable)) (br $l))'),
      ends: fails('memory'),
    },
    {
      name: 'a maximum of its own',
      module: start(
        '(drop (memory.grow (i32.const 2000))) (if (i32.gt_u (memory.size) (i32.const 1024)) (then return)) unreachable',
        '(memory (export "memory") 1 65536)',
      ),
      ends: fails('error'),
    },
    {
      name: 'a large memory at its start',
      module: start('', '(memory (export "memory") 60000)'),
      ends: fails('memory'),
    },
    { name: 'a large table', module: start('', `${MEMORY} (table 5000000 funcref)`), ends: fails('memory') },
    {
      name: 'growing a table',
      module: start(
        '(if (i32.ge_s (table.grow $t (ref.null func) (i32.const 200000)) (i32.const 0)) (then (loop $l (br $l)))) unreachable',
        `${MEMORY} (table $t 1 funcref)`,
      ),
      ends: fails('error'),
    },
    { name: 'a shared memory', module: start('', '(memory (export "memory") 1 2 shared)'), ends: fails('error') },
    { name: 'a memory of the host', module: start('', '(import "env" "memory" (memory 1))'), ends: fails('error') },
    {
      name: 'functions of the host',
      module: start('(call $f)', `(import "env" "eval" (func $f)) ${MEMORY}`),
      ends: fails('error'),
    },
    { name: 'no memory', module: '(module (func (export "_start")))', ends: fails('error') },
    { name: 'no start', module: `(module ${MEMORY})`, ends: fails('error') },
    {
      name: 'deep calls',
      module: `(module ${MEMORY} (func $f (export "_start") (call $f) (call $f)))`,
      ends: fails('stack'),
    },
    { name: 'a trap', module: start('unreachable'), ends: fails('error') },
    {
      name: 'an exit code',
      module: start('(call $exit (i32.const 3))', `(import "${WASI}" "proc_exit" (func $exit (param i32))) ${MEMORY}`),
      ends: fails('error'),
    },
    { name: 'no output', module: start(''), ends: fails('error') },
    {
      name: 'output without end',
      module: start(
        `(i32.store (i32.const 0) (i32.const 64)) (i32.store (i32.const 4) (i32.const 60000))
        (loop $l (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8))) (br $l))`,
        `${WRITE} ${MEMORY}`,
      ),
      ends: fails('output'),
    },
    {
      name: 'many vectors',
      module: start(
        '(drop (call $write (i32.const 1) (i32.const 0) (i32.const -1) (i32.const 8)))',
        `${WRITE} ${MEMORY}`,
      ),
      ends: fails('error', 'memory', 'crashed'),
    },
    {
      name: 'pointers outside of its memory',
      module: start(
        '(drop (call $read (i32.const 0) (i32.const -8) (i32.const 1) (i32.const -4)))',
        `${READ} ${MEMORY}`,
      ),
      ends: fails('error'),
    },
    {
      name: 'a larger standard input',
      module: start(
        '(call $show (i32.ne (i32.const 0) (call $size (i32.const 0) (i64.const 1099511627776))))',
        `${WRITE} (import "${WASI}" "fd_filestat_set_size" (func $size (param i32 i64) (result i32))) ${MEMORY} ${SHOW}`,
      ),
      ends: { output: '1' },
    },
    {
      name: 'a socket',
      module: start(
        '(drop (call $accept (i32.const 3) (i32.const 0) (i32.const 0)))',
        `(import "${WASI}" "sock_accept" (func $accept (param i32 i32 i32) (result i32))) ${MEMORY}`,
      ),
      ends: fails('error'),
    },
    {
      name: 'the environment',
      module: start(
        '(drop (call $sizes (i32.const 0) (i32.const 4))) (call $show (i32.load (i32.const 0)))',
        `${WRITE} (import "${WASI}" "environ_sizes_get" (func $sizes (param i32 i32) (result i32))) ${MEMORY} ${SHOW}`,
      ),
      ends: { output: '0' },
    },
    {
      name: 'opening files without end',
      module: start(
        `(loop $l (drop (call $open (i32.const 3) (i32.const 1) (i32.const 64) (i32.const 5) (i32.const 0) (i64.const -1) (i64.const -1)
          (i32.const 0) (i32.const 32))) (br $l))`,
        `${OPEN} ${MEMORY} (data (i32.const 64) "a.txt")`,
      ),
      options: { ...allowed, limits: { calls: 20 } },
      ends: fails('calls'),
    },
    { ...opens('a file that is allowed', 'a.txt', 0, allowed), ends: { output: '0' } },
    opens('without permission', 'a.txt', 0, {}),
    opens('above', '../secret.txt', 0, allowed),
    opens('an absolute path', '/etc/passwd', 0, allowed),
    opens('through a link', 'link', 0, allowed),
    opens('through a link to a folder', 'up/secret.txt', 0, allowed),
    opens('the environment of the process', 'environment', 0, allowed),
    opens('a path with NUL', 'a.txt\0b', 0, allowed),
    opens('a file to create', 'new.txt', 1, allowed),
    opens('a file to empty', 'a.txt', 8, allowed),
  ];
}
