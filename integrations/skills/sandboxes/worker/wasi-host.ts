import type { Json } from 'rsi-loop';
import type { HostResult } from '../messages.js';

/** Parts of a run that the functions of the module `rsi` use. */
export interface HostPorts {
  readonly memory: () => ArrayBufferLike;
  /** Longest request. */
  readonly maxBytes: number;
  /** Functions that are answered here, without a call of the host. */
  readonly own: {
    readonly clock: () => number;
    readonly random: () => number;
    readonly log: (line: string) => null;
  };
  readonly ask: (name: string, args: string) => HostResult;
}

/**
 * Functions that a WASI program imports from the module `rsi`. `call(at, length)` takes a request in its memory, a JSON array of
 * the name of a function of `SandboxHost` and its arguments, and returns the number of bytes of the answer: `{"value"}` or
 * `{"error"}` as JSON. `answer(at)` copies it into the memory. They are two, so that the program can make room between them.
 */
export function hostImports({ memory, maxBytes, own, ask }: HostPorts): {
  readonly [name: string]: (...args: number[]) => number;
} {
  let answer = new Uint8Array();
  const resultOf = (request: string | undefined): HostResult => {
    const parsed = request === undefined ? undefined : parse(request);
    if (parsed === undefined)
      return { error: `the request is not a JSON array with a name, or exceeds ${maxBytes} bytes` };
    const [name, ...args] = parsed;
    if (name === 'clock') return { value: own.clock() };
    if (name === 'random') return { value: own.random() };
    if (name === 'log') return { value: own.log(args.map((arg) => textOf(arg)).join(' ')) };
    return ask(name, JSON.stringify(args));
  };
  return {
    call: (at = 0, length = 0) => {
      const result = resultOf(read(memory(), at >>> 0, length >>> 0, maxBytes));
      const shown = 'error' in result ? { error: result.error } : { value: result.value };
      answer = new TextEncoder().encode(JSON.stringify(shown));
      return answer.length;
    },
    answer: (at = 0) => {
      const place = at >>> 0;
      const bytes = new Uint8Array(memory());
      if (place + answer.length > bytes.length) return ERRNO_FAULT;
      bytes.set(answer, place);
      answer = new Uint8Array();
      return 0;
    },
  };
}

/** Error number of WASI: an address outside of the memory. */
const ERRNO_FAULT = 21;

function read(memory: ArrayBufferLike, at: number, length: number, maxBytes: number): string | undefined {
  if (length > maxBytes || at + length > memory.byteLength) return undefined;
  return new TextDecoder().decode(new Uint8Array(memory).slice(at, at + length));
}

function parse(request: string): readonly [name: string, ...args: Json[]] | undefined {
  try {
    const [name, ...args]: readonly Json[] = JSON.parse(request);
    return typeof name === 'string' ? [name, ...args] : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
