import type { StudyOutcome } from 'rsi-loop/prove';
import { dollars, duration, whole } from '../../reports/words/numbers.js';
import type { Compared } from './outcomes.js';

/** Words of a report for the outcome of its study. */
export interface OutcomeWords {
  /** Meaning of the figures beside each line. */
  figures(part: string): string;
  /** Says how it was with and without a line. */
  level(with_: number, without: number): string;
  /** Why a line looks useless, and what one that is not would do. */
  readonly useless: string;
  readonly useful: string;
  /** Effect for which a forecast is made. */
  readonly forecast: string;
}

const FAILURES = 'the odds of failure';

function failing(of: string, does: string, named: string, odds: string): OutcomeWords {
  return {
    figures: (part) => `how many more points of the ${of} ${does} with the ${part}`,
    level: (given, without) => `${named}: ${inHundred(given)} in 100 ${of} with it, ${inHundred(without)} without`,
    useless: `${named} are not halved`,
    useful: `halves the ${named}`,
    forecast: `halves or doubles ${odds}`,
  };
}

function amounts(of: string, named: string, show: (value: number) => string): OutcomeWords {
  return {
    figures: (part) => `how many more than 50 of 100 sessions with the ${part} take more ${of} than one without`,
    level: (given, without) => `median ${of}: ${show(given)} with it, ${show(without)} without`,
    useless: `less than a third of the ${named} is saved`,
    useful: `saves a third of the ${named}`,
    forecast: `lowers or raises the ${of} of two sessions in three`,
  };
}

function inHundred(rate: number): string {
  const value = rate * 100;
  return value > 0 && value < 10 ? value.toFixed(1).replace(/\.0$/, '') : whole(value);
}

const WORDS: Readonly<Record<Compared | 'tasks', OutcomeWords>> = {
  turns: failing('turns', 'fail', 'failures', FAILURES),
  tools: failing('tool calls', 'fail', 'failures', FAILURES),
  tasks: failing('tasks', 'fail', 'failures', FAILURES),
  claims: failing('turns', 'claim what was not seen', 'claims not seen', 'their odds'),
  interrupts: failing('turns', 'are interrupted', 'interrupts', 'their odds'),
  tokens: amounts('tokens a turn', 'tokens', whole),
  time: amounts('time a turn', 'time', duration),
};

const OF_TASKS: Readonly<Record<Exclude<StudyOutcome, 'failures'>, OutcomeWords>> = {
  tokens: amounts('tokens a task', 'tokens', whole),
  durationMs: amounts('time a task', 'time', duration),
  costUsd: amounts('cost of a task', 'cost', dollars),
};

/** Returns the words for what a study compares: of a coding agent, or the outcome that a program chose. */
export function outcomeWords(counts: Compared | 'tasks', outcome: StudyOutcome = 'failures'): OutcomeWords {
  return counts === 'tasks' && outcome !== 'failures' ? OF_TASKS[outcome] : WORDS[counts];
}
