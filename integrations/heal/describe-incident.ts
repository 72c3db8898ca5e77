import { classifyError, ErrorNamer, recall, redact } from 'rsi-loop';
import { cleaning, partsOf, recordedText } from 'rsi-loop/kit';
import type { CallCopy } from './call-probe.js';
import type { HealSettings } from './heal-options.js';
import type { Incident } from './incident.js';
import { pathOf, readSource, sourceFrame } from './source-frame.js';
import type { StackFrame } from './stack-frames.js';

/** Failure as it was caught. Holds the arguments themselves, and only while it is handled. */
export interface Caught {
  readonly error: unknown;
  readonly args: readonly unknown[];
  readonly atMs: number;
  readonly frames: readonly StackFrame[];
  /** Absent if nothing will be repaired, or the arguments cannot be copied. */
  readonly copy?: CallCopy | undefined;
}

/** Lines above and below the one that threw. */
const AROUND = 6;
const MAX_LINES_BYTES = 4_000;

/** Describes a failure. Reads the error and the arguments before it returns, as both may change afterwards. */
export function describeIncident({ error, args, atMs, frames }: Caught, settings: HealSettings): Promise<Incident> {
  const { loop, task } = settings;
  const { newId } = partsOf(loop);
  const named = new ErrorNamer().name(error ?? String(error));
  const facts = {
    id: newId(atMs),
    task,
    atMs,
    error: named.error,
    issue: named.issues[0] ?? 'unknown',
    isTransient: classifyError(error ?? String(error)).retryable,
    arguments: cleaning.sanitizeObject(
      Object.fromEntries(args.slice(0, 20).map((argument, index) => [index, argument])),
    ),
    environment: environment(),
  };
  return complete(facts, frames, settings);
}

async function complete(
  facts: Omit<Incident, 'recent' | 'source'>,
  frames: readonly StackFrame[],
  { loop, task }: HealSettings,
): Promise<Incident> {
  const source = sourceOf(frames);
  const recalled = await recall(loop, { task }).catch(() => undefined);
  const recent = recalled?.recalled.map(({ kind, text }) => `${kind}: ${text}`) ?? [];
  return { ...facts, recent, ...(source && { source }) };
}

/** Returns the innermost frame outside of packages, with the lines around it. */
function sourceOf(frames: readonly StackFrame[]): Incident['source'] {
  const own = frames.find(({ file }) => !file.includes('/node_modules/') && pathOf(file) !== undefined);
  if (!own) return undefined;
  const frame = sourceFrame(own);
  const text = readSource(frame.file);
  if (text === undefined) return { ...frame, lines: '' };
  const from = Math.max(0, frame.line - 1 - AROUND);
  const lines = text.split('\n').slice(from, frame.line + AROUND);
  const shown = lines.map((line, at) => `${from + at + 1} ${recordedText(redact(line), 200)}`).join('\n');
  return { ...frame, lines: shown.slice(0, MAX_LINES_BYTES) };
}

function environment(): Incident['environment'] {
  const { versions, platform, arch } = globalThis.process ?? {};
  return { node: versions?.node ?? 'none', platform: platform ?? 'unknown', arch: arch ?? 'unknown' };
}
