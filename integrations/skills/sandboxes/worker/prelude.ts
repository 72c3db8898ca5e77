/**
 * First script of each QuickJS context. It builds `host` from functions of the worker, and returns the function that runs
 * a program. It takes what it needs before the program can replace it. Nothing here has rights: the host checks each call.
 */
export const PRELUDE = `
((functions) => {
  'use strict';
  const { call, clock, random, log } = functions;
  const { parse, stringify } = JSON;
  const { freeze, defineProperty } = Object;
  const text = (value) => {
    if (typeof value === 'string') return value;
    try {
      return stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };
  const ask = async (name, args) => parse(await call(name, stringify(args)));
  const write = (...values) => {
    let line = '';
    for (let index = 0; index < values.length; index += 1) line += (index > 0 ? ' ' : '') + text(values[index]);
    log(line);
  };
  const host = freeze({
    http: freeze({
      get: (url, options) => ask('http.get', [url, options]),
      post: (url, body, options) => ask('http.post', [url, body, options]),
    }),
    files: freeze({
      read: (path) => ask('files.read', [path]),
      list: (path) => ask('files.list', [path]),
      write: async (path, content) => void (await ask('files.write', [path, content])),
    }),
    clock: () => clock(),
    random: () => random(),
    log: write,
  });
  defineProperty(Math, 'random', { value: () => random() });
  defineProperty(globalThis, 'console', {
    value: { log: write, info: write, warn: write, error: write, debug: write },
  });
  const json = (output) => stringify(output) ?? 'null';
  const settled = async (output) => json(await output);
  return (main, input) => {
    if (typeof main !== 'function') {
      throw new TypeError('the default export is no function: write "export default function (input, host) { ... }"');
    }
    const output = main(parse(input), host);
    // Most programs answer without a promise, and then no job has to run.
    return typeof output?.then === 'function' ? settled(output) : json(output);
  };
})
`;
