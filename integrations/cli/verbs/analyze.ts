import { Option } from 'commander';
import { LoopError } from 'rsi-loop';
import { readAll } from '../analyze/read-all.js';
import { render } from '../analyze/render-analysis.js';
import { makeReport } from '../analyze/report.js';
import { Survey } from '../analyze/survey.js';
import { EXIT } from '../exit.js';
import { explainNothingRead, requireSomePath } from '../import/problems.js';
import { rangeOptions } from '../since.js';
import { endingAtOnce } from '../terminal/interrupt.js';
import { lookAt } from '../terminal/look.js';
import { notice, print } from '../terminal/output.js';
import { numberOption, verb } from '../verb.js';

interface Options {
  readonly json?: true;
  readonly since?: number;
  readonly until?: number;
  readonly limit: number;
}

/** The verb `rsi analyze <path...>`: shows what fails most in existing logs. */
export const analyze = verb<Options, readonly string[]>({
  description:
    'Reads logs of agents and prints what fails most: for which tool and model, how often of how many, since when, rising or falling, with examples. Reads sessions of coding agents, trajectories, traces, and outcomes as JSON, JSON lines or CSV, and detects the format of each file (docs/import.md in the repository lists them). Writes nothing and sends nothing over the network.',
  examples: [
    ['analyze ~/.claude/projects', 'your sessions with Claude Code'],
    ['analyze outcomes.jsonl --since 7d', 'the last week of a file'],
    ["analyze logs --json | jq '.patterns[0]'", 'for a program'],
  ],
  options: [
    new Option('--json', 'print one JSON document instead of the report'),
    ...rangeOptions(),
    numberOption('--limit <count>', 'how many patterns to show', { min: 1, max: 1e9 }).default(10),
  ],
  run: async ({ since: sinceMs, until: untilMs, limit, json }, paths) => {
    if (paths.length === 0 && process.stdin.isTTY)
      throw new LoopError('invalid-input', 'nothing to read: name files or folders');
    requireSomePath(paths);
    const nowMs = Date.now();
    const survey = new Survey({
      nowMs,
      ...(sinceMs !== undefined && { sinceMs }),
      ...(untilMs !== undefined && { untilMs }),
    });
    const reading = await readAll(paths.length === 0 ? ['-'] : paths, survey, nowMs);
    const { interrupted } = reading;
    if (survey.isEmpty) {
      await (interrupted ? notice('stopped before anything was read') : explainNothingRead());
      return interrupted ? EXIT.interrupted : EXIT.unusable;
    }
    await endingAtOnce(async () => {
      const report = makeReport(survey, reading, { limit, sinceMs, untilMs });
      await print({ document: report, text: render(report, lookAt(process.stdout)) }, json);
    });
    return interrupted ? EXIT.interrupted : EXIT.done;
  },
});
