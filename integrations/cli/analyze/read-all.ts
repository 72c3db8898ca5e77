import { counted, whole } from '../../reports/words/numbers.js';
import { readInputs } from '../../sources/import/read-inputs.js';
import { SessionReview } from '../../sources/sessions/session-review.js';
import { inputName, ReadProblems } from '../import/problems.js';
import { endingAtOnce, onInterrupt, until } from '../terminal/interrupt.js';
import { notice } from '../terminal/output.js';
import { Progress } from '../terminal/progress.js';
import { plain } from '../terminal/terminal-text.js';
import type { Reading } from './report.js';
import type { Survey } from './survey.js';

/** Reads everything into the survey, or until Ctrl-C. */
export async function readAll(paths: readonly string[], survey: Survey, nowMs: number): Promise<Reading> {
  const { signal, release } = onInterrupt();
  const progress = new Progress(process.stderr);
  const problems = new ReadProblems();
  const review = new SessionReview();
  const inputs = readInputs(paths, {
    signal,
    nowMs,
    marksUndated: true,
    onProblem: (problem) => problems.add(problem),
    onSession: (text, path) => review.read(text, path),
  });
  for await (const batch of until(inputs, signal)) {
    survey.absorb(batch);
    progress.show(() => {
      const { lines, bytes } = inputs.summary;
      return `reading ${plain(inputName(batch.path))}: ${counted(lines, 'line')}, ${whole(bytes / 1e6)} MB so far`;
    });
  }
  progress.clear();
  release();
  if (signal.aborted)
    await notice('stopped: the report counts what was read until then; Ctrl-C again ends immediately');
  await endingAtOnce(async () => survey.end());
  await problems.print();
  return { summary: inputs.summary, problems: problems.first, interrupted: signal.aborted, findings: review.findings };
}
