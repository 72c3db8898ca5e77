import type { Fix, RSILoop, RuleChange } from 'rsi-loop';
import type { ArmFigures } from 'rsi-loop/kit';
import { counted, moment, whole } from '../../reports/words/numbers.js';
import { armsWords } from '../../reports/words/sentences.js';
import type { Look } from '../terminal/look.js';
import { paragraph } from '../terminal/page.js';
import { columns, cut, plain, wrap } from '../terminal/terminal-text.js';
import { byStatus, paintStatus } from './status-words.js';

/** Behavioural rule with its location and its effect. */
export interface ListedRule {
  readonly id: string;
  readonly status: Fix['status'];
  readonly task: string;
  readonly issue: string;
  readonly file: string;
  readonly text: string;
  /** File that holds the rule now; null if the rule is only sent to sessions, or is not in force. */
  readonly written: { readonly path: string; readonly atMs: number } | null;
  /** Sessions and tasks with the rule and without it, and how many failed; null if it was never on trial. */
  readonly helped: { readonly with: ArmFigures; readonly without: ArmFigures } | null;
  /**
   * Failed tasks that the rule prevented and caused, compared with sessions without it. Counts halve every
   * `halfLifeDays`. When a file is full, its least useful rule is dropped first. Null if the rule was never on trial.
   */
  readonly counters: { readonly helpful: number; readonly harmful: number; readonly halfLifeDays: number } | null;
  /** Sessions that get the rule now: all, half (on trial) or none. */
  readonly sentTo: 'all' | 'trial' | 'none';
}

/** Output of `rsi rules --json`. Fields are added within a format, never changed or removed. */
export interface RuleList {
  readonly format: 'rsi-rules/1';
  readonly rules: readonly ListedRule[];
}

/** Statuses of rules that are over; shown only with `--all`. */
const OVER: ReadonlySet<string> = new Set(['rejected', 'rolled-back', 'superseded', 'expired', 'void']);
const IN_FORCE: ReadonlySet<string> = new Set(['confirmed', 'applied-unverified', 'reopened']);

export function listRules(loop: RSILoop, { all }: { readonly all: boolean }): RuleList {
  const shown = loop.fixes({ kind: 'rule' }).filter(({ status }) => all || !OVER.has(status));
  const rules = shown.map((fix) => listed(loop, fix, fix.change));
  const value = ({ counters }: ListedRule) => (counters ? counters.helpful - counters.harmful : 0);
  return { format: 'rsi-rules/1', rules: byStatus(rules, (one, other) => value(other) - value(one)) };
}

/** Half-life of the counters, the same as in the library's `ruleCounters`. */
const HALF_LIFE_DAYS = 90;

function listed(loop: RSILoop, fix: Fix, { text, file }: RuleChange): ListedRule {
  const { id, status, task, issue, written, verdict } = fix;
  // Figures of a verdict stay as they were; a running trial shows the current ones.
  const { figures: running, counters } = loop.explain(id);
  const figures = verdict && 'figures' in verdict ? verdict.figures : running;
  return {
    ...{ id, status, task, issue, file, text },
    written: written ?? null,
    helped: figures ? { with: figures.fix, without: figures.control } : null,
    counters: counters ? { helpful: counters.helpful, harmful: counters.harmful, halfLifeDays: HALF_LIFE_DAYS } : null,
    sentTo: IN_FORCE.has(status) ? 'all' : status === 'trial' ? 'trial' : 'none',
  };
}

const INDENT = 4;

/** Renders the list for people, in lines of at most `width` columns. */
export function renderRules({ rules }: RuleList, look: Look): string {
  const { width, paint, next } = look;
  if (rules.length === 0) {
    const text = `No rules. ${next('cycle')} looks for some, ${next('review')} shows the proposed ones.`;
    return `${wrap(text, width).join('\n')}\n`;
  }
  const lines = [paint('bold', counted(rules.length, 'rule'))];
  const wide = Math.max(...rules.map(({ status }) => status.length));
  for (const rule of rules) {
    const { id, status, text, task } = rule;
    const room = width - columns(plain(id)) - wide - 8;
    lines.push('', `${plain(id)}  ${paintStatus(status, status.padEnd(wide), paint)}  for ${cut(plain(task), room)}`);
    lines.push(...paragraph(plain(text), look, INDENT));
    for (const fact of factsOf(rule)) lines.push(...paragraph(fact, look, INDENT, 'dim'));
  }
  return `${lines.join('\n')}\n`;
}

function factsOf({ written, sentTo, file, helped, counters }: ListedRule): readonly string[] {
  const facts: string[] = [];
  if (written) facts.push(`in ${plain(written.path)} since ${moment(written.atMs)}`);
  else if (sentTo === 'all') facts.push(`sent to every session; not written into ${plain(file)} yet`);
  else if (sentTo === 'trial') facts.push('sent to the sessions that the trial selects');
  if (helped) facts.push(armsWords({ fix: helped.with, control: helped.without }));
  if (counters) {
    const { helpful, harmful, halfLifeDays } = counters;
    const counts = `helpful ${whole(helpful)}, harmful ${whole(harmful)}`;
    facts.push(`${counts}: failed tasks that it prevented and caused; counts halve every ${halfLifeDays} days`);
  }
  return facts;
}
