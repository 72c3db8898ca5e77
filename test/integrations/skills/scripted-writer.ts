import type { Json } from '../../../src/contract/json.js';
import type { ModelRequest } from '../../../src/contract/model.js';
import { ScriptedModel } from '../../../src/testing/scripted-model.js';

export interface Script {
  readonly name?: string;
  readonly description?: string;
  readonly whenNot?: string;
  readonly asks?: {
    readonly hosts?: readonly string[];
    readonly read?: readonly string[];
    readonly write?: readonly string[];
  };
  /** Code of each draft, in order. The last one is repeated. */
  readonly drafts: readonly string[];
}

/** Model that plans, writes the given drafts, and analyses each failure. */
export function scriptedWriter({
  name = 'csv-total',
  description = 'Totals the amounts of a CSV.',
  whenNot = '',
  asks = {},
  drafts,
}: Script) {
  let written = 0;
  return new ScriptedModel((request) => ({ kind: 'json', json: answer(request) }));

  function answer({ messages, schema }: ModelRequest): Json {
    const fields = schema?.type === 'object' ? Object.keys(schema.properties) : [];
    if (fields.includes('steps'))
      return { name, description, whenNot, steps: ['split', 'add'], asks: { hosts: [], read: [], write: [], ...asks } };
    if (fields.includes('code'))
      return { language: 'javascript', code: drafts[Math.min(written++, drafts.length - 1)] ?? '' };
    return { cause: `cause of ${messages[0]?.content.slice(0, 20)}`, change: 'write it better' };
  }
}
