import { LoopError } from 'rsi-loop';
import { FileLog, type Improvement, type ImprovementStep, improvementOf, type Version } from 'rsi-loop/improve';

/** Improvement in the folder of runs. */
export interface KeptImprovement {
  readonly id: string;
  readonly suite: string;
  readonly steps: readonly ImprovementStep[];
  readonly improvement: Improvement;
}

/** Reads the improvements of a folder, or those of one suite. The one that changed last comes first. */
export async function readImprovements(folder: string, suite?: string): Promise<readonly KeptImprovement[]> {
  const log = new FileLog<ImprovementStep>(folder);
  const ids = await log.list();
  const all = await Promise.all(
    ids.map(async (id) => {
      const steps = await log.load(id);
      const [first] = steps;
      const of = first?.kind === 'started' ? first.suite : '';
      return { id, suite: of, steps, improvement: improvementOf(steps) };
    }),
  );
  const lastMs = ({ steps }: KeptImprovement) => steps.at(-1)?.atMs ?? 0;
  return all
    .filter((one) => one.steps.length > 0 && (suite === undefined || one.suite === suite))
    .sort((a, b) => lastMs(b) - lastMs(a));
}

/**
 * Returns the improvement that changed last.
 * @throws LoopError `invalid-input` if there is none.
 */
export function newest(improvements: readonly KeptImprovement[], folder: string): KeptImprovement {
  const [first] = improvements;
  if (first) return first;
  throw new LoopError('invalid-input', `no improvement is kept in ${folder}: "improve once" runs a round of one`);
}

/** Version with the improvement that it belongs to. */
export interface FoundVersion {
  readonly of: KeptImprovement;
  readonly version: Version;
}

/**
 * Finds a version by its id, the beginning of it, or its name.
 * @throws LoopError `invalid-input` if there is none, or more than one.
 */
export function findVersion(improvements: readonly KeptImprovement[], asked: string | undefined): FoundVersion {
  if (asked === undefined) throw new LoopError('invalid-input', 'which version? "improve archive" lists their ids');
  const all = improvements.flatMap((of) => of.improvement.archive.map((version) => ({ of, version })));
  const named = all.filter(({ version }) => version.id.startsWith(asked) || version.variant.name === asked);
  // The same version may be in several improvements; the newest one counts.
  const ids = new Set(named.map(({ version }) => version.id));
  const [found] = named;
  if (found && ids.size === 1) return found;
  const what = found ? `several versions begin with or are named "${asked}"` : `there is no version "${asked}"`;
  const known = (found ? [...ids] : all.map(({ version }) => version.id)).slice(0, 8).join(', ');
  throw new LoopError('invalid-input', `${what}: give an id, such as ${known || 'those of "improve archive"'}`);
}
