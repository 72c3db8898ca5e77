import { redact } from 'rsi-loop';
import type { FileProblem, Imported, ImportNote } from './imported.js';

/** Characters of one problem. */
const LONGEST = 1_000_000;
const DEEPEST = 50;

/** Redacts the texts of imported problems, and leaves out problems that are too long. */
export function cleaned({ problems, recorded, notes }: Imported): Imported {
  const more: ImportNote[] = [];
  const kept: FileProblem[] = [];
  for (const { id, ...problem } of problems) {
    const copy = new Copy();
    try {
      kept.push({ id, ...(copy.of(problem) as typeof problem) }); // a copy has the same form
      if (copy.redacted > 0)
        more.push({ kind: 'changed', item: id, reason: `secrets in ${copy.redacted} texts are redacted` });
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      more.push({ kind: 'skipped', item: id, reason: cause.message });
    }
  }
  return { problems: kept, recorded, notes: [...notes, ...more] };
}

/** Copies a value, whose aliases may make it far larger than its file. */
class Copy {
  redacted = 0;
  #left = LONGEST;

  /** @throws RangeError beyond the limits. */
  of(value: unknown, depth = 0): unknown {
    this.#left -= typeof value === 'string' ? value.length : 8;
    if (this.#left < 0) throw new RangeError(`it has more than ${LONGEST / 1e6} MB of text`);
    if (depth > DEEPEST) throw new RangeError(`it is nested more than ${DEEPEST} levels deep`);
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((member) => this.of(member, depth + 1));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.of(member, depth + 1)]));
  }

  #text(text: string): string {
    const safe = redact(text);
    if (safe !== text) this.redacted++;
    return safe;
  }
}
