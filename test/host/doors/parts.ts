import { PassThrough, Readable } from 'node:stream';
import { MemoryStore, RSILoop } from 'rsi-loop';
import { MemoryWorkspace } from 'rsi-loop/kit';
import { FileStore } from 'rsi-loop/node';
import { ManualClock, ScriptedModel } from 'rsi-loop/testing';
import type { Shape } from './shape.js';

let places = 0;

/** Parts that are created for each call: some calls close them. */
const PARTS: Readonly<Record<string, () => unknown>> = {
  RSILoop: () => {
    const loop = new RSILoop({ store: new MemoryStore() });
    loop.on('problem', () => {});
    return loop;
  },
  Store: () => new MemoryStore(),
  RegExp: () => /x/,
  Readable: () => Readable.from([]),
  Writable: () => new PassThrough().resume(),
  FileStore: () => new FileStore(`store-${places++}`),
  Model: () => new ScriptedModel(['yes']),
  Clock: () => new ManualClock(),
  Workspace: () => new MemoryWorkspace({}),
  Sandbox: () => ({ name: 'sandbox', run: async () => ({ kind: 'returned', value: 1 }) }),
  Destination: () => ({ name: 'nowhere', deliver: async () => ({ kind: 'delivered', refused: 0, reason: '' }) }),
};

/** Returns a valid value of a form. Optional fields are left out. */
export function valid(shape: Shape): unknown {
  switch (shape.kind) {
    case 'value':
      return shape.value;
    case 'text':
      if (/url|address|endpoint/i.test(shape.name)) return 'http://127.0.0.1:9/';
      return /path|folder|file|place/i.test(shape.name) ? `${shape.name}-${places++}` : shape.name;
    case 'function':
      return () => undefined;
    case 'list':
      return [];
    case 'part':
      return PARTS[shape.name]?.();
    case 'object':
      return Object.fromEntries(
        Object.entries(shape.fields).flatMap(([name, field]) => (field.isOptional ? [] : [[name, valid(field.shape)]])),
      );
    case 'nothing':
      return undefined;
    default:
      return shape satisfies never;
  }
}
