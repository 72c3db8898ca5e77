import { readInputs } from '../../sources/import/read-inputs.js';
import { inputName, ReadProblems } from '../import/problems.js';
import { onInterrupt, until } from '../terminal/interrupt.js';
import { counted, whole } from '../terminal/numbers.js';
import { Progress } from '../terminal/progress.js';
import { plain } from '../terminal/text.js';
import type { Reading } from './report.js';
import type { Survey } from './survey.js';

/** Reads everything into the survey, or until Ctrl-C. */
export async function readAll(paths: readonly string[], survey: Survey, nowMs: number): Promise<Reading> {
  const { signal, release } = onInterrupt();
  const progress = new Progress(process.stderr);
  const problems = new ReadProblems();
  const inputs = readInputs(paths, { signal, nowMs, onProblem: (problem) => problems.add(problem) });
  for await (const batch of until(inputs, signal)) {
    survey.absorb(batch);
    progress.show(() => {
      const { lines, bytes } = inputs.summary;
      return `reading ${plain(inputName(batch.path))}: ${counted(lines, 'line')}, ${whole(bytes / 1e6)} MB so far`;
    });
  }
  survey.end();
  progress.clear();
  release();
  await problems.print();
  return { summary: inputs.summary, problems: problems.first, interrupted: signal.aborted };
}
