import { type Clock, type Json, SystemClock } from 'rsi-loop';
import type { SandboxCall, SandboxLimits } from '../../sandbox.js';
import type { HostFunction, HostResult } from '../messages.js';
import type { RunSettings } from '../sandbox-settings.js';
import { listFolder, readText, writeText } from './host-files.js';
import { fetchText, type HttpLimits } from './http.js';
import type { Network } from './network.js';
import { Refusal } from './refusal.js';

/** Longest text of a program that is kept in a record. */
const MAX_TARGET = 500;

/** Host functions of one run: checks, runs and records each call. Nothing that a program sends is trusted. */
export class HostCalls {
  readonly #settings: RunSettings;
  readonly #network: Network;
  readonly #clock: Clock = new SystemClock();
  readonly #abort = new AbortController();
  readonly #done: SandboxCall[] = [];
  #begun = 0;
  #refusal: string | undefined;

  constructor(settings: RunSettings, network: Network) {
    this.#settings = settings;
    this.#network = network;
  }

  /** Finished calls, in order of their end. */
  get done(): readonly SandboxCall[] {
    return this.#done;
  }

  /** Message of the last call that was denied. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  /** Runs a call; `undefined` if it exceeds the limit of calls. Never rejects. */
  async call(name: HostFunction, args: string): Promise<HostResult | undefined> {
    if (this.#begun >= this.#settings.limits.calls) return undefined;
    this.#begun += 1;
    const startedMs = this.#clock.monotonic();
    const record = (target: string, rest: Pick<SandboxCall, 'result' | 'bytes'> & { message?: string }) =>
      this.#done.push({
        function: name,
        target,
        durationMs: this.#clock.monotonic() - startedMs,
        times: 1,
        ...rest,
      });
    let target = '';
    try {
      const given = argumentsOf(args);
      target = textOrJson(given[0]).slice(0, MAX_TARGET);
      const { value, bytes } = await this.#perform(name, given);
      record(target, { result: 'ok', bytes });
      return { value };
    } catch (error) {
      const message = `${name}: ${reasonOf(error)}`.slice(0, MAX_TARGET);
      const isRefused = error instanceof Refusal;
      if (isRefused) this.#refusal = message;
      record(target, { result: isRefused ? 'refused' : 'failed', message, bytes: 0 });
      return { error: message };
    }
  }

  /** Ends calls in progress. */
  stop(): void {
    this.#abort.abort(new Error('the run has ended'));
  }

  async #perform(name: HostFunction, [first, ...rest]: readonly Json[]): Promise<{ value: Json; bytes: number }> {
    const { limits, read, write } = this.#settings;
    const target = textOrJson(first);
    switch (name) {
      case 'http.get':
        return this.#request(target, { method: 'GET', headers: headersOf(rest[0]) });
      case 'http.post': {
        const [body = null, options] = rest;
        const [text, type] =
          typeof body === 'string' ? [body, 'text/plain'] : [JSON.stringify(body), 'application/json'];
        const headers = { 'content-type': `${type}; charset=utf-8`, ...headersOf(options) };
        return this.#request(target, { method: 'POST', headers, body: text });
      }
      case 'files.read': {
        const text = await readText(target, allowed(read, 'read'), maxTextBytes(limits));
        return { value: text, bytes: Buffer.byteLength(text) };
      }
      case 'files.list': {
        const names = await listFolder(target, allowed(read, 'read'));
        return { value: names as unknown as Json, bytes: 0 }; // plain records
      }
      case 'files.write': {
        const text = textOrJson(rest[0]);
        await writeText(target, text, allowed(write, 'write'));
        return { value: null, bytes: Buffer.byteLength(text) };
      }
      default:
        name satisfies never;
        throw new Refusal('there is no such function');
    }
  }

  async #request(url: string, request: Parameters<typeof fetchText>[1]): Promise<{ value: Json; bytes: number }> {
    const { limits, hosts } = this.#settings;
    const options: HttpLimits = {
      hosts,
      network: this.#network,
      maxBytes: maxTextBytes(limits),
      signal: this.#abort.signal,
    };
    const response = await fetchText(url, request, options);
    return { value: { ...response }, bytes: Buffer.byteLength(response.body) };
  }
}

/** Longest text that a function returns: it and its copies must fit into the memory of the program. */
function maxTextBytes({ memoryBytes }: SandboxLimits): number {
  return Math.floor(memoryBytes / 16);
}

function allowed(folders: readonly string[], kind: 'read' | 'write'): readonly string[] {
  if (folders.length === 0) throw new Refusal(`no folder may be ${kind === 'read' ? 'read' : 'written'}`);
  return folders;
}

/** Errors of the system name paths of the host, which a program may not learn. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOfSystem = 'syscall' in error && 'code' in error;
  return isOfSystem ? `failed with ${String(error.code)}` : error.message;
}

function argumentsOf(text: string): readonly Json[] {
  const args: Json = JSON.parse(text);
  return Array.isArray(args) ? args : [];
}

function textOrJson(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function headersOf(options: Json | undefined): Record<string, string> {
  const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const headers = isObject(options) ? options.headers : undefined;
  return isObject(headers)
    ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, textOrJson(value)]))
    : {};
}
