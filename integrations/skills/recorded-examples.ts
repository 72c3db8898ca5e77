import type { Json, Outcome } from 'rsi-loop';
import { canonical, isObject } from 'rsi-loop/kit';

/** Examples from recorded calls of a tool. */
export interface RecordedExamples {
  readonly examples: readonly (readonly [input: Json, output: Json])[];
  /** Successful calls that are no examples. */
  readonly skipped: {
    /** Calls without an input or an output in their record. `tools` records them with `content: true`. */
    readonly bare: number;
    /** Calls whose record is shortened or redacted. */
    readonly shortened: number;
    /** Calls whose input had different outputs. */
    readonly conflicting: number;
  };
}

/** Enough for learning: half are hidden from the writer. */
const MOST = 48;
/** Marks and bounds of records that are not complete. */
const MARKS = /…$|\[(?:redacted|deeper|circular)[\]:]/;
const MOST_MEMBERS = 60;
const MOST_VALUES = 380;
const MOST_CHARACTERS = 15_000;

/**
 * Returns inputs and outputs of recorded successful calls of a tool as examples for `learn`, newest first, at most 48.
 * Each input is there once. Inputs with different outputs are left out, since no test can decide between them.
 */
export async function recordedExamples(outcomes: AsyncIterable<Outcome>, tool: string): Promise<RecordedExamples> {
  const found = new Map<
    string,
    { readonly pair: readonly [Json, Json]; readonly outputs: Set<string>; count: number }
  >();
  const skipped = { bare: 0, shortened: 0, conflicting: 0 };
  for await (const { tool: name, success, context } of outcomes) {
    if (name !== tool || !success) continue;
    if (!isObject(context) || context.input === undefined || context.output === undefined) {
      skipped.bare++;
      continue;
    }
    const { input, output } = context;
    if (!isComplete([input, output])) {
      skipped.shortened++;
      continue;
    }
    const key = canonical(input);
    const known = found.get(key) ?? { pair: [input, output] as const, outputs: new Set<string>(), count: 0 };
    known.outputs.add(canonical(output));
    known.count++;
    // The newest is last.
    found.delete(key);
    found.set(key, known);
  }
  const all = [...found.values()].reverse();
  for (const { outputs, count } of all) if (outputs.size > 1) skipped.conflicting += count;
  return { examples: all.flatMap(({ pair, outputs }) => (outputs.size > 1 ? [] : [pair])).slice(0, MOST), skipped };
}

/** Returns whether nothing of a recorded value was left out. */
function isComplete(value: Json): boolean {
  let values = 0;
  const visit = (one: Json): boolean => {
    if (++values > MOST_VALUES) return false;
    if (typeof one === 'string') return !MARKS.test(one);
    if (typeof one !== 'object' || one === null) return true;
    const members = Object.values(one);
    return members.length <= MOST_MEMBERS && members.every(visit);
  };
  return visit(value) && JSON.stringify(value).length <= MOST_CHARACTERS;
}
