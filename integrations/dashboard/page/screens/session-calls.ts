import type { Outcome } from 'rsi-loop';
import type { SessionView, TranscriptView } from '../../session-views.js';

/** Request of a person with the calls that follow it. */
export interface Turn {
  readonly request?: TranscriptView['requests'][number];
  readonly calls: readonly Outcome[];
}

/** Task name that imports and hooks give to calls of a model. */
const MODEL_CALL = 'model_call';

export function startOf({ atMs, durationMs = 0 }: Outcome): number {
  return atMs - durationMs;
}

/** Returns whether a finding was recorded aside: it is no failure. */
function isAside({ tags }: Outcome): boolean {
  return tags?.includes('finding-aside') === true;
}

export function isFailure(call: Outcome): boolean {
  return !call.success && !isAside(call);
}

/** Returns the tasks to compare with those of another session. A failure is a difference. */
export function stepsOf(calls: readonly Outcome[]): readonly string[] {
  return calls.flatMap((call) =>
    call.task === MODEL_CALL || isAside(call) ? [] : [isFailure(call) ? `${call.task} (failed)` : call.task],
  );
}

/** Returns the calls to list: answers of the model that succeeded are half of a session and say little. */
export function listedCalls({ calls }: SessionView, withModel: boolean): readonly Outcome[] {
  return withModel ? calls : calls.filter(({ task, success }) => task !== MODEL_CALL || !success);
}

/** Splits calls at the requests of the person. */
export function turnsOf(calls: readonly Outcome[], requests: TranscriptView['requests']): readonly Turn[] {
  const turns: { request?: Turn['request'] & object; calls: Outcome[] }[] = [];
  let next = 0;
  for (const call of calls) {
    let isNew = turns.length === 0;
    let request: TranscriptView['requests'][number] | undefined;
    for (let one = requests[next]; one !== undefined && one.atMs <= startOf(call); one = requests[next]) {
      request = one;
      isNew = true;
      next += 1;
    }
    if (isNew) turns.push({ ...(request && { request }), calls: [call] });
    else turns.at(-1)?.calls.push(call);
  }
  return turns;
}

/** Fewest calls without failure that are folded into one line. */
const FEWEST = 4;

/** Calls in order: a single one, or several without failure to fold into one line. */
export type Stretch = Outcome | readonly [Outcome, ...Outcome[]];

/** Joins calls without failure that follow each other, unless they are few. */
export function stretchesOf(calls: readonly Outcome[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let run: Outcome[] = [];
  const end = () => {
    const [first, ...others] = run;
    if (first === undefined || run.length < FEWEST) stretches.push(...run);
    else stretches.push([first, ...others]);
    run = [];
  };
  for (const call of calls) {
    if (!isFailure(call)) {
      run.push(call);
      continue;
    }
    end();
    stretches.push(call);
  }
  end();
  return stretches;
}

/** Returns tasks with repeats counted: `Read × 3, Edit`. */
export function runsOf(tasks: readonly string[]): string {
  const runs: { readonly task: string; times: number }[] = [];
  for (const task of tasks) {
    const last = runs.at(-1);
    if (last?.task === task) last.times += 1;
    else runs.push({ task, times: 1 });
  }
  return runs.map(({ task, times }) => (times === 1 ? task : `${task} × ${times}`)).join(', ');
}

/** Formats the time since the session began: `+3:07`, `+1:04:12`. */
export function offsetText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const two = (value: number) => `${value}`.padStart(2, '0');
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `+${hours}:${two(minutes)}:${two(seconds % 60)}` : `+${minutes}:${two(seconds % 60)}`;
}
