import { attempt, type Escape, fails, gives } from './escape.js';

const QUICK = { options: { limits: { timeMs: 150 } } };
const SMALL = { options: { limits: { timeMs: 10_000, memoryBytes: 24 << 20 } } };
const ABSENT = `['process', 'require', 'module', 'fetch', 'setTimeout', 'setImmediate', 'WebAssembly', 'Worker', 'Deno', 'Bun',
  'std', 'os', 'bjson', 'scriptArgs', 'postMessage', 'Buffer', 'XMLHttpRequest', 'queueMicrotask', 'Atomics', 'print', 'gc']
  .filter((name) => name in globalThis)`;

/** Ways to objects of the host. */
const REACH: readonly Escape[] = [
  attempt('globals of the host', `return ${ABSENT}`, gives([])),
  attempt(
    'constructor of a constructor',
    `return ({}).constructor.constructor('return typeof process')()`,
    gives('undefined'),
  ),
  attempt(
    'constructor of a host function',
    `return host.log.constructor('return typeof process')()`,
    gives('undefined'),
  ),
  attempt(
    'constructor of an async host function',
    `return await host.http.get.constructor('return typeof process')()`,
    gives('undefined'),
  ),
  attempt(
    'prototype of the host',
    `return Object.getPrototypeOf(host).constructor.constructor('return typeof require')()`,
    gives('undefined'),
  ),
  attempt('eval', `return eval('typeof process')`, gives('undefined')),
  attempt('indirect eval', `return (0, eval)('typeof globalThis.process')`, gives('undefined')),
  attempt('Function', `return new Function('return this === globalThis && typeof process')()`, gives('undefined')),
  attempt(
    'generator function',
    `return [...(function* () {}).constructor('yield typeof process')()]`,
    gives(['undefined']),
  ),
  attempt('this of a module', `return await (async () => typeof this)()`, gives('undefined')),
  { name: 'a static import', code: `import fs from 'node:fs'; export default () => 1`, ends: fails('error') },
  {
    name: 'an import of a file',
    code: `import x from 'file:///etc/passwd'; export default () => 1`,
    ends: fails('error'),
  },
  attempt('a dynamic import', `return await import('node:fs')`, fails('error')),
  attempt('an import of data', `return await import('data:text/javascript,export default 1')`, fails('error')),
  attempt('an import of the worker', `return await import('./main.js')`, fails('error')),
  attempt('require', `return require('fs')`, fails('error')),
  attempt(
    'frames of the stack',
    `Error.prepareStackTrace = (_, frames) => frames; const { stack } = new Error();
    return typeof stack === 'string' ? 'text' : stack.every((frame) => typeof frame.getThis?.() !== 'object')`,
    gives('text'),
  ),
  attempt('caller of a function', `function inner() { return inner.caller } return inner() ?? 'none'`, fails('error')),
  attempt('changing the host', `try { host.http.get = 1 } catch {} return typeof host.http.get`, gives('function')),
  attempt('adding to the host', `try { host.process = 1 } catch {} return typeof host.process`, gives('undefined')),
  attempt('WebAssembly', `return WebAssembly.compile(new Uint8Array())`, fails('error')),
  attempt('waiting with Atomics', `Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0)`, fails('error')),
  attempt('a function as output', `return () => 1`, gives(null)),
  attempt(
    'patched JSON',
    `JSON.stringify = () => '{"forged":true}'; JSON.parse = () => 1; return { real: true }`,
    gives({ real: true }),
  ),
  attempt('patched promises', `Promise.prototype.then = function (take) { take('forged') }; return 1`, gives(1)),
  attempt('patched toJSON', `Object.prototype.toJSON = () => 'forged'; return { a: 1 }`, gives('forged')),
  attempt('patched iteration', `Array.prototype[Symbol.iterator] = () => { throw 1 }; return [1, 2]`, gives([1, 2])),
  attempt('output that is no JSON', `JSON.stringify = 0; return { toJSON: () => undefined }`, gives(null)),
];

/** Inputs and outputs that try to change their reader. */
const DATA: readonly Escape[] = [
  attempt('__proto__ in the output', `return JSON.parse('{"__proto__":{"polluted":1}}')`, fails('output')),
  attempt('__proto__ deep in the output', `return [{ a: JSON.parse('[{"__proto__":1}]') }]`, fails('output')),
  attempt('escaped __proto__ in the output', `return { ['__prot' + 'o__']: 1 }`, fails('output')),
  attempt(
    '__proto__ in the input',
    `return [Object.keys(input), ({}).polluted ?? 'clean']`,
    gives([['__proto__'], 'clean']),
    {
      input: JSON.parse('{"__proto__":{"polluted":1}}'),
    },
  ),
  attempt(
    'keys of constructors',
    `return { constructor: { prototype: { polluted: 1 } } }`,
    gives({ constructor: { prototype: { polluted: 1 } } }),
  ),
  attempt('a getter', `return { get a() { return 1 } }`, gives({ a: 1 })),
  attempt('a getter that throws', `return { get a() { throw new Error('no') } }`, fails('error')),
  attempt('a getter that never ends', `return { get a() { for (;;); } }`, fails('timeout'), QUICK),
  attempt('toJSON that never ends', `return { toJSON() { for (;;); } }`, fails('timeout'), QUICK),
  attempt('a proxy with endless keys', `return new Proxy({}, { ownKeys() { for (;;); } })`, fails('timeout'), QUICK),
  attempt('a cycle', `const a = {}; a.a = a; return a`, fails('error')),
  attempt('a big integer', `return 1n`, fails('error')),
  attempt('numbers that JSON lacks', `return [NaN, Infinity, -0]`, gives([null, null, 0])),
  attempt('deep output', `let a = 1; for (let i = 0; i < 300; i += 1) a = [a]; return a`, fails('output')),
  attempt(
    'very deep output',
    `let a = 1; for (let i = 0; i < 20000; i += 1) a = { a }; return a`,
    fails('stack', 'memory', 'error', 'output', 'timeout'),
    { options: { limits: { timeMs: 400 } } },
  ),
  attempt('1 GB of output', `return 'x'.repeat(2 ** 30 - 100)`, fails('memory')),
  attempt('20 MB of output', `return 'x'.repeat(2e7)`, fails('output', 'memory')),
  attempt('many small objects as output', `return Array.from({ length: 2e5 }, () => ({}))`, fails('output')),
  attempt('a thenable', `return { then: (take) => take(1) }`, gives(1)),
  attempt('a thenable that never settles', `return { then() {} }`, fails('error')),
  attempt('a promise that never settles', `return new Promise(() => {})`, fails('error')),
  attempt('throwing null', `throw null`, fails('error')),
  attempt('throwing a symbol', `throw Symbol('no')`, fails('error')),
  attempt('throwing an object without end', `throw { get message() { for (;;); } }`, fails('timeout'), QUICK),
  attempt('throwing a long message', `throw new Error('x'.repeat(1e6))`, fails('error')),
  { name: 'no default export', code: 'export const a = 1', ends: fails('error') },
  { name: 'code that cannot be parsed', code: 'export default (', ends: fails('error') },
  { name: 'throwing while it loads', code: 'throw { get name() { for (;;); } }', ends: fails('timeout'), ...QUICK },
];

/** Programs without end. */
const LOOPS: readonly Escape[] = [
  attempt('a loop', `for (;;);`, fails('timeout'), QUICK),
  attempt('a loop of awaits', `for (;;) await 0`, fails('timeout'), QUICK),
  attempt(
    'a flood of promises',
    `const more = () => Promise.resolve().then(more); more(); return new Promise(() => {})`,
    fails('timeout'),
    QUICK,
  ),
  attempt(
    'a growing flood of promises',
    `const more = () => { Promise.resolve().then(more); Promise.resolve().then(more) }; more(); return new Promise(() => {})`,
    fails('timeout', 'memory', 'error'),
    { options: { limits: { timeMs: 400, memoryBytes: 24 << 20 } } },
  ),
  attempt('a loop in finally', `try { for (;;); } finally { for (;;); }`, fails('timeout'), QUICK),
  attempt('a loop that catches its end', `for (;;) try { for (;;); } catch {}`, fails('timeout'), QUICK),
  attempt(
    'a generator without end',
    `for (const _ of (function* () { for (;;) yield 1 })());`,
    fails('timeout'),
    QUICK,
  ),
  { name: 'a loop while it loads', code: 'for (;;); export default () => 1', ends: fails('timeout'), ...QUICK },
  {
    name: 'an await while it loads',
    code: 'await new Promise(() => {}); export default () => 1',
    ends: fails('error'),
  },
  attempt('a comparison without end', `[3, 1, 2].sort(() => { for (;;); })`, fails('timeout'), QUICK),
  attempt('a regular expression', `/^(a+)+$/.test('a'.repeat(60) + 'b')`, fails('timeout'), QUICK),
  attempt('another regular expression', `/(.*)*x/.test('y'.repeat(9000))`, fails('timeout'), QUICK),
  attempt(
    'a built-in that cannot be interrupted',
    `const a = []; a.length = 2 ** 32 - 1; a.sort()`,
    fails('timeout'),
    QUICK,
  ),
  attempt('a join that cannot be interrupted', `new Array(2 ** 31).join('x')`, fails('timeout', 'memory'), QUICK),
  attempt('slow built-ins in a loop', `const s = 'a'.repeat(1e7); for (;;) s.indexOf('b')`, fails('timeout'), QUICK),
  attempt('a reviver without end', `JSON.parse('[1]', () => { for (;;); })`, fails('timeout'), QUICK),
  attempt('a conversion without end', `return +{ valueOf() { for (;;); } }`, fails('timeout'), QUICK),
];

/** Programs that take memory or stack. */
const MEMORY: readonly Escape[] = [
  attempt('objects', `const a = []; for (;;) a.push({})`, fails('memory'), SMALL),
  attempt('array buffers', `const a = []; for (;;) a.push(new ArrayBuffer(1 << 20))`, fails('memory'), SMALL),
  attempt('typed arrays', `const a = []; for (;;) a.push(new Float64Array(1 << 17).fill(1))`, fails('memory'), SMALL),
  attempt(
    'shared buffers',
    `const a = []; for (;;) a.push(new SharedArrayBuffer(1 << 20))`,
    fails('memory', 'error'),
    SMALL,
  ),
  attempt('a doubling string', `let s = 'x'; for (;;) s += s`, fails('memory'), SMALL),
  attempt('a repeated string', `return 'x'.repeat(2 ** 29).length`, fails('memory'), SMALL),
  attempt('a padded string', `return 'x'.padEnd(2 ** 29).length`, fails('memory'), SMALL),
  attempt('a filled array', `new Array(1e8).fill(0)`, fails('memory'), SMALL),
  attempt('a map', `const m = new Map(); for (let i = 0; ; i += 1) m.set(i, {})`, fails('memory'), SMALL),
  attempt('symbols', `const a = []; for (;;) a.push(Symbol('x'.repeat(1000)))`, fails('memory'), SMALL),
  attempt('closures', `let f = () => 0; for (;;) { const g = f; f = () => g }`, fails('memory'), SMALL),
  attempt('a large integer', `let n = 3n; for (;;) n *= n`, fails('memory', 'error'), SMALL),
  attempt('parsed JSON', `return JSON.parse('[' + '[],'.repeat(2e6) + '0]').length`, fails('memory'), SMALL),
  attempt(
    'caught exhaustion',
    `const a = []; try { for (;;) a.push(new ArrayBuffer(1 << 20)) } catch { a.length = 0; return 'caught' }`,
    gives('caught'),
    SMALL,
  ),
  attempt(
    'a replaced string',
    `return 'a'.repeat(1e6).replaceAll('a', 'b'.repeat(100)).length`,
    fails('memory'),
    SMALL,
  ),
  attempt('deep calls', `const f = () => f() + 1; f()`, fails('stack')),
  attempt('deep getters', `const a = { get a() { return this.a } }; a.a`, fails('stack')),
  attempt('deep proxies', `const a = new Proxy({}, { get: (_, key, self) => self[key] }); a.x`, fails('stack')),
  attempt('deep JSON', `JSON.parse('['.repeat(1e6))`, fails('stack', 'error')),
  attempt('deep code', `eval('('.repeat(1e5))`, fails('stack', 'error')),
  attempt(
    'deep expressions',
    `new RegExp('('.repeat(200) + 'a' + ')'.repeat(200)).test('a'); new RegExp('(?:'.repeat(1e5))`,
    fails('stack', 'error'),
  ),
  attempt('many arguments', `Math.max(...new Array(1e7))`, fails('stack', 'memory', 'error', 'timeout')),
  attempt(
    'calls as deep as the limit allows',
    `let n = 0; const f = () => { n += 1; f() }; try { f() } catch {} return n > 10`,
    gives(true),
  ),
];

export const ENGINE_ESCAPES: readonly Escape[] = [...REACH, ...DATA, ...LOOPS, ...MEMORY];
