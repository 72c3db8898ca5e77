import type { Json } from 'rsi-loop';
import type { SandboxFailure, SandboxRun } from 'rsi-loop/sandbox';
import type { Place } from './place.js';

/** Request of a WASI program to the host, and how it must end. */
export interface HostRequest {
  readonly name: string;
  /** Input of the program, which it passes on as the request. */
  readonly request: Json;
  readonly options?: SandboxRun;
  /** Output of the program as JSON contains this text, or the reason of its failure. */
  readonly ends: { readonly contains: string } | { readonly reason: SandboxFailure };
}

const IMPORTS = `(import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "rsi" "call" (func $call (param i32 i32) (result i32)))
  (import "rsi" "answer" (func $answer (param i32) (result i32)))
  (memory (export "memory") 8)`;
/** Reads its input to 1,024 and leaves the length at 8. */
const TAKE = `(i32.store (i32.const 0) (i32.const 1024)) (i32.store (i32.const 4) (i32.const 60000))
  (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))`;

/** Program that asks the host for what its input says, and answers with the result. */
export const FORWARD = `(module ${IMPORTS}
  (func (export "_start") ${TAKE}
    (i32.store (i32.const 4) (call $call (i32.const 1024) (i32.load (i32.const 8))))
    (i32.store (i32.const 0) (i32.const 131072))
    (drop (call $answer (i32.const 131072)))
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 12)))))`;
/** Asks without end. */
export const FLOOD = `(module ${IMPORTS}
  (func (export "_start") ${TAKE} (loop $l (drop (call $call (i32.const 1024) (i32.load (i32.const 8)))) (br $l))))`;
/** Copies an answer to an address outside of its memory, asks with a request outside of it, and answers 1 if both failed. */
export const OUTSIDE = `(module ${IMPORTS} (data (i32.const 64) "1")
  (func (export "_start") ${TAKE}
    (drop (call $call (i32.const -4) (i32.const 100)))
    (drop (call $call (i32.const 1024) (i32.const -1)))
    (drop (call $call (i32.const 1024) (i32.load (i32.const 8))))
    (if (i32.eqz (call $answer (i32.const -8))) (then unreachable))
    (i32.store (i32.const 0) (i32.const 64)) (i32.store (i32.const 4) (i32.const 1))
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 12)))))`;

/** Requests that must be denied, and those that are allowed. */
export function hostRequests({ base, data, port }: Place): readonly HostRequest[] {
  const files = { allow: { read: [data], write: [`${base}/out`] } };
  const hosts = { allow: { hosts: ['*.example.com'] }, limits: { timeMs: 3_000 } };
  const to = (url: string) => `http://a.example.com/to?${encodeURIComponent(url)}`;
  const denied = (name: string, request: Json, options: SandboxRun = {}): HostRequest => ({
    name,
    request,
    options,
    ends: { contains: '{"error":' },
  });
  const allowed = (name: string, request: Json, options: SandboxRun, contains: string): HostRequest => ({
    name,
    request,
    options,
    ends: { contains },
  });
  return [
    allowed('an allowed file', ['files.read', 'a.txt'], files, '{"value":"allowed"}'),
    allowed('a file in its folder', ['files.write', 'wasi.txt', 'written'], files, '{"value":null}'),
    allowed('an allowed host', ['http.get', 'http://a.example.com/x'], hosts, '\\"path\\":\\"/x\\"'),
    allowed('a post to it', ['http.post', 'http://a.example.com/', { a: 1 }], hosts, '\\"method\\":\\"POST\\"'),
    allowed('the clock', ['clock'], {}, '{"value":1'),
    allowed('random numbers', ['random'], { seed: 3 }, '{"value":0.'),
    denied('http without permission', ['http.get', 'http://a.example.com/']),
    denied('a post without permission', ['http.post', 'http://a.example.com/', 'x']),
    denied('another host', ['http.get', 'http://example.org/'], hosts),
    denied('a host that ends the same', ['http.get', 'http://evilexample.com/'], hosts),
    denied('loopback', ['http.get', `http://127.0.0.1:${port}/`], hosts),
    denied('loopback as a number', ['http.get', 'http://2130706433/'], hosts),
    denied('loopback of IPv6', ['http.get', 'http://[::1]/'], hosts),
    denied('a name of a private address', ['http.get', 'http://inside.example.com/'], hosts),
    denied('a name of the metadata address', ['http.get', 'http://metadata.example.com/'], hosts),
    denied('a file over http', ['http.get', 'file:///etc/passwd'], hosts),
    denied('a redirect off the list', ['http.get', to('http://example.org/')], hosts),
    denied('a redirect to loopback', ['http.get', to(`http://127.0.0.1:${port}/`)], hosts),
    denied('another host in a header', ['http.get', 'http://a.example.com/', { headers: { host: 'b' } }], hosts),
    denied('a response that is too large', ['http.get', 'http://a.example.com/large'], hosts),
    denied('reading without permission', ['files.read', `${data}/a.txt`]),
    denied('reading above the folder', ['files.read', '../secret.txt'], files),
    denied('reading an absolute path', ['files.read', `${base}/secret.txt`], files),
    denied('reading through a link', ['files.read', 'link'], files),
    denied('reading the environment', ['files.read', '/proc/self/environ'], files),
    denied('listing above', ['files.list', '..'], files),
    denied('writing without permission', ['files.write', `${data}/new.txt`, 'x'], { allow: { read: [data] } }),
    denied('writing above', ['files.write', '../new.txt', 'x'], files),
    denied('writing through a link', ['files.write', 'link', 'x'], files),
    denied('writing through a folder that is a link', ['files.write', 'up/secret.txt', 'x'], files),
    denied('a function that there is not', ['process.exit', 1], files),
    denied('a name of Object', ['constructor'], files),
    denied('a request that is no array', { name: 'files.read' }, files),
    denied('a request without a name', [], files),
    denied('a name that is no text', [{ toString: 1 }, 'a.txt'], files),
    denied('a path that is an object', ['files.read', { toString: 'a.txt' }], files),
    {
      name: 'a server that never answers',
      request: ['http.get', 'http://a.example.com/never'],
      options: { ...hosts, limits: { timeMs: 300 } },
      ends: { reason: 'timeout' },
    },
  ];
}
