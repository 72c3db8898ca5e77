import { LoopError, MemoryStore, RSILoop } from 'rsi-loop';
import * as node from 'rsi-loop/node';
import * as record from 'rsi-loop/record';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as index from '../../src/index.js';
import { hostileValues } from './hostile-values.js';

type Call = (...args: unknown[]) => unknown;

const VALUES = [...hostileValues(), ['nothing', undefined] as const];

/**
 * Names that may fail in other ways, which `doors/every-door.slow.test.ts` checks. All others, also new ones, return or throw a
 * `LoopError`.
 */
const OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  // Given options or a loop of another type, they throw a TypeError where a program is set up or asks for an analysis.
  index: [
    ...['ErrorNamer', 'LoopError', 'MemoryStore', 'Observer', 'RSILoop', 'TemplateMiner', 'agentPatterns'],
    ...['classifyError', 'describeFix', 'exportOutcomes', 'localize', 'recall', 'reportProblem', 'rootCauses'],
    // The function of the host throws.
    ...['startCall', 'untracked'],
  ],
  record: ['LoopError', 'Recorder', 'startCall', 'untracked'],
  // Parts of a file store, for tools that call them with records and files of their own: errors of the file system.
  node: [
    ...['readFailedCycles', 'isLedgerEntry', 'errorCode', 'ifPresent', 'hashOf', 'readJournalLine', 'entryHash'],
    ...['makeFolder', 'packageFolder', 'PinnedDirectory', 'FileLock', 'FileLog', 'LedgerChain', 'LineFiles'],
    ...['readOnlyFileSystem', 'recordOf', 'restoreFolder', 'signatureOf', 'signDecisions', 'verifyLedger'],
    ...['DiskWorkspace', 'FileStore', 'inspectStore', 'openLine', 'sealLine'],
  ],
};

function isCallable(value: unknown): value is Call {
  return typeof value === 'function';
}

/** Calls with hostile values in each of three places, and returns the errors that are none of the loop's. */
async function foreignErrors(call: Call): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const [what, hostile] of VALUES) {
    for (const args of [[hostile], ['job', hostile], ['job', () => 1, hostile]]) {
      try {
        await call(...args);
      } catch (error) {
        if (!LoopError.is(error) || error.message === '') found.add(`${what}: ${describeIt(error)}`);
      }
    }
  }
  return [...found];
}

function describeIt(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message.slice(0, 100)}` : typeof error;
}

describe.each(Object.entries({ index, record, node }))('of %s', (door, names) => {
  const functions = Object.entries<unknown>(names).filter(([, value]) => isCallable(value));
  const listed = functions.filter(([name]) => !OTHERWISE[door]?.includes(name));

  it('each function and constructor returns or throws a LoopError', async () => {
    const found: Record<string, readonly string[]> = {};
    for (const [name, value] of listed) {
      const called = value as Call; // filtered above
      const isClass = /^class\b/.test(Function.prototype.toString.call(called));
      const errors = await foreignErrors((...args) => (isClass ? Reflect.construct(called, args) : called(...args)));
      if (errors.length > 0) found[name] = errors;
    }
    expect(found).toEqual({});
  });

  it('the exceptions exist', () => {
    for (const name of OTHERWISE[door] ?? []) expect(names).toHaveProperty(name);
  });
});

it('a store or a workspace names a folder that is no path', () => {
  for (const part of [node.FileStore, node.DiskWorkspace])
    for (const [what, folder] of VALUES)
      if (typeof folder !== 'string') expect(() => new part(folder as never), what).toThrow('give a path as text');
});

describe('of a loop', () => {
  let loop: RSILoop;
  beforeEach(() => {
    loop = new RSILoop({ store: new MemoryStore() });
    loop.on('problem', () => {});
  });
  afterEach(() => loop.close());

  /** Methods inside the calls of a host: they never throw. */
  const SILENT: ReadonlySet<string> = new Set(['begin', 'policy', 'advice', 'fixes', 'endSession', 'flush', 'health']);

  it.each(['loop', 'observer', 'task', 'recorder'])(
    'each method of its %s returns or throws a LoopError',
    async (of) => {
      const recorder = new record.Recorder({ to: { send: async () => ({ kind: 'taken' }) } } as never);
      const target: object | undefined = { loop, observer: loop.observer, task: loop.begin('job'), recorder }[of];
      const found: Record<string, readonly string[]> = {};
      let tried = 0;
      for (const name of methodsOf(target)) {
        if (name === 'close' || name === 'run') continue;
        tried++;
        const errors = await foreignErrors(async (...args) => {
          try {
            await Reflect.apply(Reflect.get(target ?? {}, name), target, args);
          } catch (error) {
            if (of !== 'loop' || SILENT.has(name)) throw new Error('the host was disturbed', { cause: error });
            throw error;
          }
        });
        if (errors.length > 0) found[name] = errors;
      }
      expect(found).toEqual({});
      expect(tried).toBeGreaterThan(0);
    },
  );
});

/** Names of all methods of an object, its own and inherited. */
function methodsOf(target: object | undefined): readonly string[] {
  const names = new Set<string>();
  for (let at = target; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (name !== 'constructor' && isCallable(value)) names.add(name);
  }
  return [...names];
}
