import type { Fix, RSILoop, RuleChange } from 'rsi-loop';
import { armsWords } from '../fixes/figures.js';
import { paintStatus, STATUSES } from '../fixes/status.js';
import type { Look } from '../store/next-command.js';
import { wrap } from '../terminal/lines.js';
import { counted, moment, whole } from '../terminal/numbers.js';
import { columns, cut, plain } from '../terminal/text.js';

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
  readonly helped: { readonly with: Arm; readonly without: Arm } | null;
  /**
   * Failed tasks that the rule prevented and caused, compared with sessions without it. Counts halve every
   * `halfLifeDays`. When a file is full, its least useful rule is dropped first. Null if the rule was never on trial.
   */
  readonly counters: { readonly helpful: number; readonly harmful: number; readonly halfLifeDays: number } | null;
  /** Sessions that get the rule now: all, half (on trial) or none. */
  readonly told: 'all' | 'trial' | 'none';
}

interface Arm {
  readonly units: number;
  readonly tasks: number;
  readonly failures: number;
}

/** Output of `rsi rules --json`. Fields are added within a format, never changed or removed. */
export interface RuleList {
  readonly format: 'rsi-rules/1';
  readonly rules: readonly ListedRule[];
}

/** Statuses of rules that are over; shown only with `--all`. */
const OVER: ReadonlySet<string> = new Set(['rejected', 'rolled-back', 'superseded', 'expired']);
const IN_FORCE: ReadonlySet<string> = new Set(['confirmed', 'applied-unverified', 'reopened']);

export function listRules(loop: RSILoop, { all }: { readonly all: boolean }): RuleList {
  const rules = loop.fixes().flatMap((fix) => {
    const { change } = fix;
    if (change.kind !== 'rule' || (!all && OVER.has(fix.status))) return [];
    return [listed(loop, fix, change)];
  });
  const rank = ({ status }: ListedRule) => STATUSES.indexOf(status);
  const worth = ({ counters }: ListedRule) => (counters ? counters.helpful - counters.harmful : 0);
  return { format: 'rsi-rules/1', rules: rules.sort((a, b) => rank(a) - rank(b) || worth(b) - worth(a)) };
}

/** Half-life of the counters, the same as in the library's `ruleCounters`. */
const HALF_LIFE_DAYS = 90;

function listed(loop: RSILoop, fix: Fix, { text, file }: RuleChange): ListedRule {
  const { id, status, task, issue, written, verdict } = fix;
  // Figures of a verdict stay as they were; a running trial shows the current ones.
  const { figures: running, counters } = loop.explain(id);
  const figures = verdict && 'figures' in verdict ? verdict.figures : running;
  return {
    id,
    status,
    task,
    issue,
    file,
    text,
    written: written ?? null,
    helped: figures ? { with: figures.fix, without: figures.control } : null,
    counters: counters ? { helpful: counters.helpful, harmful: counters.harmful, halfLifeDays: HALF_LIFE_DAYS } : null,
    told: IN_FORCE.has(status) ? 'all' : status === 'trial' ? 'trial' : 'none',
  };
}

const INDENT = '    ';

/** Formats counters: `helpful 41, harmful 3: failed tasks it spared and brought; what was 90 days ago counts half`. */
function countersWords({ helpful, harmful, halfLifeDays }: NonNullable<ListedRule['counters']>): string {
  const counts = `helpful ${whole(helpful)}, harmful ${whole(harmful)}`;
  return `${counts}: failed tasks it spared and brought; what was ${halfLifeDays} days ago counts half`;
}

/** Renders the list for people, in lines of at most `width` columns. */
export function renderRules({ rules }: RuleList, { width, paint, next }: Look): string {
  if (rules.length === 0) {
    const text = `No rules. ${next('cycle')} looks for some, ${next('review')} shows what is proposed.`;
    return `${wrap(text, width).join('\n')}\n`;
  }
  const lines = [paint('bold', counted(rules.length, 'rule'))];
  const wide = Math.max(...rules.map(({ status }) => status.length));
  for (const rule of rules) {
    const { id, status, text, file, task, written, helped, counters, told } = rule;
    const room = width - columns(plain(id)) - wide - 8;
    const head = `${plain(id)}  ${paintStatus(status, status.padEnd(wide), paint)}  for ${cut(plain(task), room)}`;
    lines.push('', head);
    const say = (words: string, style?: 'dim') => {
      lines.push(...wrap(words, width - INDENT.length).map((line) => INDENT + (style ? paint(style, line) : line)));
    };
    say(plain(text));
    if (written) say(`in ${plain(written.path)} since ${moment(written.atMs)}`, 'dim');
    else if (told === 'all') say(`told to every session; not written into ${plain(file)} yet`, 'dim');
    else if (told === 'trial') say('told to the sessions that are drawn for it', 'dim');
    if (helped) say(armsWords({ fix: helped.with, control: helped.without }), 'dim');
    if (counters) say(countersWords(counters), 'dim');
  }
  return `${lines.join('\n')}\n`;
}
