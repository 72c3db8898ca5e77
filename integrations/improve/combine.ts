import type { Variant } from 'rsi-loop/bench';
import { canonical, hashing } from 'rsi-loop/kit';
import type { Hypothesis } from './hypothesis.js';
import { mergeTexts, textChange } from './merge-texts.js';
import { merged } from './version.js';

/** Change that was proposed for one version and may be applied to others. */
export interface Part extends Hypothesis {
  /** The same for the same change of another version. */
  readonly id: string;
  readonly name?: string;
  /** Version that it was proposed for, before and after the change. */
  readonly before: Variant;
  readonly after: Variant;
}

/** Version that is made of parts. */
export interface Assembly {
  readonly variant: Variant;
  /** Ids of the parts, oldest first. */
  readonly parts: readonly string[];
}

const FIELDS = ['prompts', 'policy', 'code'] as const;
type Values = Readonly<Record<string, unknown>>;

/** Returns the id of the change between two versions. */
export function partId(before: Variant, after: Variant): string {
  const changes = FIELDS.flatMap((field) => {
    const [from, to]: [Values, Values] = [before[field] ?? {}, after[field] ?? {}];
    return changedNames(from, to).map((name) => [field, name, changeOf(from[name], to[name])]);
  });
  return hashing.hashHex(canonical(changes)).slice(0, 12);
}

/**
 * Adds parts to a version, the first ones first. Leaves out those that change nothing, and those that change the same
 * place of a text as another one. Texts merge by sentences and lines, other values as a whole.
 */
export function assemble(base: Assembly, parts: readonly Part[]): Assembly {
  let { variant } = base;
  const added = [...base.parts];
  const waiting = parts.filter(({ id }) => !base.parts.includes(id));
  // A part may need a later one: it is tried again after each that was added, before those that follow.
  for (let at = 0; at < waiting.length; ) {
    const next = applied(variant, waiting[at] as Part); // a place below the length
    if (!next) {
      at++;
      continue;
    }
    variant = next;
    added.push(...waiting.splice(at, 1).map(({ id }) => id));
    at = 0;
  }
  return { variant, parts: added };
}

/** Returns the version with a part, or `undefined` if they conflict or nothing changes. */
function applied(variant: Variant, { before, after }: Part): Variant | undefined {
  const change: Record<string, Values> = {};
  for (const field of FIELDS) {
    const values = mergedValues(before[field] ?? {}, variant[field] ?? {}, after[field] ?? {});
    if (!values) return undefined;
    if (Object.keys(values).length > 0) change[field] = values;
  }
  // The values are those of variants, by field.
  return Object.keys(change).length > 0 ? merged(variant, change as Variant) : undefined;
}

/** Returns the values of `mine` that a change alters; `undefined` if `mine` differs there in another way. */
function mergedValues(before: Values, mine: Values, after: Values): Values | undefined {
  const values: Record<string, unknown> = {};
  for (const name of changedNames(before, after)) {
    const value = mergedValue(before[name], mine[name], after[name]);
    if (value === undefined) return undefined;
    if (!isEqual(value, mine[name])) values[name] = value;
  }
  return values;
}

function mergedValue(before: unknown, mine: unknown, after: unknown): unknown {
  if (isEqual(mine, before) || isEqual(mine, after)) return after;
  const areTexts = typeof before === 'string' && typeof mine === 'string' && typeof after === 'string';
  return areTexts ? mergeTexts(before, mine, after) : undefined;
}

function changedNames(before: Values, after: Values): readonly string[] {
  return Object.keys(after).filter((name) => !isEqual(before[name], after[name]));
}

function changeOf(before: unknown, after: unknown): unknown {
  return typeof before === 'string' && typeof after === 'string' ? textChange(before, after) : after;
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || canonical(a) === canonical(b);
}
