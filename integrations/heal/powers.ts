import { blanked } from './blanked.js';

/** Means of a function to act on something besides its arguments, or to depend on it. */
export const POWERS = ['files', 'network', 'environment', 'processes', 'time', 'chance', 'code'] as const;
/** One of `POWERS`, such as `files`. */
export type Power = (typeof POWERS)[number];

/** Begin of a name of its own: no part of another one, and no property; after `...` it may begin. */
const OWN = String.raw`(?<![\w$])(?<!(?<!\.\.)\.)`;

/** Names in code, by the power that they give. `code` builds or finds code whose powers cannot be read. */
const NAMES: readonly (readonly [Power, RegExp])[] = [
  ['network', own('(?:fetch|XMLHttpRequest|WebSocket|EventSource|navigator)\\b')],
  ['environment', own('(?:process\\s*\\??\\.\\s*env|import\\s*\\.\\s*meta)\\b')],
  ['processes', own('(?:process\\b(?!\\s*\\??\\.\\s*env\\b)|(?:Worker|Deno|Bun)\\b)')],
  ['time', own('(?:performance|setTimeout|setInterval|setImmediate|Temporal)\\b')],
  ['chance', own('(?:Math\\s*\\.\\s*random|crypto)\\b')],
  ['code', own('(?:eval|Function|globalThis|global|window|self|require|module|WebAssembly)\\b')],
  ['code', /\bimport\s*\(|\bconstructor\b|\bgetBuiltinModule\b/],
];

function own(names: string): RegExp {
  return new RegExp(OWN + names);
}

const MODULES: Readonly<Record<string, Power>> = {
  ...Object.fromEntries(['fs', 'fs/promises', 'sqlite'].map((name) => [name, 'files'] as const)),
  ...Object.fromEntries(
    ['http', 'https', 'http2', 'net', 'tls', 'dgram', 'dns', 'dns/promises', 'undici', 'inspector'].map(
      (name) => [name, 'network'] as const,
    ),
  ),
  ...Object.fromEntries(
    ['child_process', 'worker_threads', 'cluster', 'process'].map((name) => [name, 'processes'] as const),
  ),
  ...Object.fromEntries(['timers', 'timers/promises', 'perf_hooks'].map((name) => [name, 'time'] as const)),
  ...Object.fromEntries(['vm', 'module'].map((name) => [name, 'code'] as const)),
  os: 'environment',
  crypto: 'chance',
};

/** Returns the powers that a part of a module names, itself or by what the module imports. */
export function powersIn(part: string, module: string): ReadonlySet<Power> {
  const code = blanked(part);
  // Code that cannot be read may do anything.
  if (code === undefined) return new Set(POWERS);
  const named = NAMES.flatMap(([power, pattern]) => (pattern.test(code) ? [power] : []));
  const imported = [...importedPowers(module)].flatMap(([name, power]) => {
    return own(`${name.replaceAll('$', '\\$')}(?![\\w$])`).test(code) ? [power] : [];
  });
  return new Set([...named, ...imported, ...(readsClock(code) ? (['time'] as const) : [])]);
}

/** Whether code reads the clock by `Date`. A date of something given, such as `new Date(text)`, does not. */
function readsClock(code: string): boolean {
  return [...code.matchAll(new RegExp(`${OWN}Date\\b`, 'g'))].some(({ index }) => {
    const before = code.slice(0, index).trimEnd();
    const after = code.slice(index + 'Date'.length).trimStart();
    if (after.startsWith('.')) return /^\.\s*now\b/.test(after);
    if (/\binstanceof$/.test(before)) return false;
    return !(/\bnew$/.test(before) && /^\(\s*[^\s)]/.test(after));
  });
}

/** Returns the names that a module imports from built-in modules with a power. */
function importedPowers(module: string): ReadonlyMap<string, Power> {
  const found = new Map<string, Power>();
  const add = (names: string, from: string) => {
    const power = MODULES[from.replace(/^node:/, '')];
    if (power === undefined) return;
    for (const [, own, renamed] of names.matchAll(/([\w$]+)(?:\s*(?:as|:)\s*([\w$]+))?/g))
      if (own !== undefined) found.set(renamed ?? own, power);
  };
  for (const [, names = '', from = ''] of module.matchAll(/\bimport\b([^'";]{0,1000}?)\bfrom\s*['"]([^'"]+)['"]/g))
    add(names.replace(/\*\s*as\b/g, ''), from);
  for (const [, names = '', from = ''] of module.matchAll(
    /\b(?:const|let|var)\s([\w$\s{},:]{1,1000}?)=\s*(?:await\s+import|require)\s*\(\s*['"]([^'"]+)['"]/g,
  ))
    add(names, from);
  return found;
}

/** Program text that records powers while `isCalling` is true, in the set `used`. It runs before the module is loaded. */
export const RECORDING = `
const used = new Set();
let isCalling = false;
const note = (power) => { if (isCalling) used.add(power); };
const watched = (fn, power, isPlain = () => false) => new Proxy(fn, {
  apply: (target, self, args) => { if (!isPlain(args)) note(power); return Reflect.apply(target, self, args); },
  construct: (target, args, made) => { note(power); return Reflect.construct(target, args, made === undefined ? target : made); },
});
const watchAll = (object, power, isPlain) => {
  for (const key of Object.keys(object)) {
    const { value, writable } = Object.getOwnPropertyDescriptor(object, key) ?? {};
    if (writable && typeof value === 'function') object[key] = watched(value, power, isPlain);
  }
};
// Output to a descriptor, as of console.log, is no use of files.
watchAll(fs, 'files', ([first]) => typeof first === 'number');
watchAll(fs.promises, 'files');
watchAll(childProcess, 'processes');
watchAll(dns, 'network');
net.Socket.prototype.connect = watched(net.Socket.prototype.connect, 'network');
dgram.createSocket = watched(dgram.createSocket, 'network');
for (const name of ['fetch', 'WebSocket']) if (globalThis[name]) globalThis[name] = watched(globalThis[name], 'network');
for (const name of ['setTimeout', 'setInterval', 'setImmediate']) globalThis[name] = watched(globalThis[name], 'time');
for (const name of ['kill', 'exit', 'abort']) process[name] = watched(process[name], 'processes');
if (process.getBuiltinModule) process.getBuiltinModule = watched(process.getBuiltinModule, 'code');
performance.now = watched(performance.now.bind(performance), 'time');
Math.random = watched(Math.random, 'chance');
const { env } = process;
Object.defineProperty(process, 'env', { configurable: true, value: new Proxy(env, {
  get: (target, key) => { note('environment'); return Reflect.get(target, key); },
  ownKeys: (target) => { note('environment'); return Reflect.ownKeys(target); },
}) });
const SystemDate = Date;
const now = watched(SystemDate.now, 'time');
globalThis.Date = new Proxy(SystemDate, {
  apply: (target) => { note('time'); return target(); },
  construct: (target, args, made) => { if (args.length === 0) note('time'); return Reflect.construct(target, args, made); },
  get: (target, key, self) => (key === 'now' ? now : Reflect.get(target, key, self)),
});
SystemDate.prototype.constructor = globalThis.Date;
syncBuiltinESMExports();
`;
