import type { Verb } from './verb.js';

/** Row of the table: everything about a verb that is known before it runs. */
export interface Row {
  readonly name: string;
  /** Other words that people type for it. */
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** Argument and its meaning, such as `['<id>', 'the id of the fix']`. */
  readonly argument?: readonly [syntax: string, meaning: string];
  /** Loads the options, the help and the work of the verb. Nothing else in the command loads them. */
  load(): Promise<Verb>;
}

/** Name of the verb that reads the rows of all others. */
export const COMPLETION = 'completion';

const FIX = ['<id>', 'the id of the fix, or the beginning of it'] as const;
const TASK = ['<task>', 'the name of the task, as the program that runs it calls it'] as const;

const FIND: readonly Row[] = [
  {
    name: 'analyze',
    summary: 'show what fails most in existing logs',
    argument: ['[path...]', 'files or folders; - or nothing reads standard input'],
    load: async () => (await import('./verbs/analyze.js')).analyze,
  },
  {
    name: 'worse',
    summary: 'whether your coding agents got worse, and since when',
    argument: ['[path...]', 'transcripts or folders of them; without one, those on this machine'],
    load: async () => (await import('./verbs/worse.js')).worse,
  },
  {
    name: 'import',
    summary: 'write existing logs into the folder of a loop',
    argument: ['<path...>', 'files or folders; - reads standard input'],
    load: async () => (await import('./verbs/import.js')).importVerb,
  },
  {
    name: 'record',
    summary: 'record one failure that you noticed, or a success',
    argument: ['<task>', 'the name of the task, such as deploy: the same each time'],
    load: async () => (await import('./verbs/record.js')).record,
  },
  {
    name: 'patterns',
    aliases: ['failures'],
    summary: 'what fails again and again, with the sessions to look at',
    argument: ['[pattern]', 'the beginning of the id of a pattern, or the name of a task'],
    load: async () => (await import('./verbs/patterns.js')).patterns,
  },
  {
    name: 'bench',
    summary: 'the score of the agent, and whether a change is better',
    argument: ['[action...]', 'list, run, baseline, compare, history, show or import, and names'],
    load: async () => (await import('./verbs/bench.js')).benchVerb,
  },
  {
    name: 'improve',
    summary: 'improve the agent on a benchmark; a person approves',
    argument: ['[action...]', 'status, once, loop, archive, show, approve or reject, and a number or an id'],
    load: async () => (await import('./verbs/improve.js')).improveVerb,
  },
  {
    name: 'runs',
    summary: 'runs of tasks: what is done, continue and cancel them',
    argument: ['[action...]', 'list, show, continue or cancel, and the id of a run'],
    load: async () => (await import('./verbs/runs.js')).runsVerb,
  },
  {
    name: 'oversee',
    summary: 'run an agent of the command line inside limits',
    argument: ['<args...>', 'the command and its arguments, after --'],
    load: async () => (await import('./verbs/oversee.js')).oversee,
  },
  {
    name: 'stops',
    summary: 'runs that were stopped; say that a stop was wrong',
    argument: ['[action...]', 'list, or wrong and the id of a stop'],
    load: async () => (await import('./verbs/stops.js')).stops,
  },
  {
    name: 'prove',
    summary: 'which lines of AGENTS.md help, and which harm',
    argument: ['<file...>', 'Markdown files that an agent reads, folders of them, and folders of skills'],
    load: async () => (await import('./verbs/prove.js')).proveVerb,
  },
  {
    name: 'skill',
    summary: 'code that agents call: learned, tested, proven',
    argument: ['[action...]', 'list, show, learn, run, test, mutate, tree, check and others, and names'],
    load: async () => (await import('./verbs/skill.js')).skillVerb,
  },
  {
    name: 'root-causes',
    summary: 'why things failed lately, counted',
    load: async () => (await import('./verbs/root-causes.js')).rootCausesVerb,
  },
  {
    name: 'ci',
    summary: 'tell new test failures from flaky ones',
    argument: ['<report...>', 'files or patterns such as reports/*.xml; - reads standard input'],
    load: async () => (await import('./verbs/ci.js')).ci,
  },
];

const ATTACH: readonly Row[] = [
  {
    name: 'init',
    summary: 'attach a loop to this project, after showing the plan',
    load: async () => (await import('./verbs/init.js')).init,
  },
  {
    name: 'install',
    summary: 'let a coding agent report to the loop',
    argument: ['<agent>', 'claude'],
    load: async () => (await import('./verbs/install.js')).install,
  },
  {
    name: 'uninstall',
    summary: 'remove exactly what install added',
    argument: ['<agent>', 'claude'],
    load: async () => (await import('./verbs/install.js')).uninstall,
  },
  {
    name: 'hook',
    summary: 'what coding agents call',
    argument: ['<agent>', 'one of claude, codex, gemini, cursor'],
    load: async () => (await import('./verbs/hook.js')).hook,
  },
  {
    name: 'serve',
    summary: 'a loop over HTTP, for agents in any language',
    load: async () => (await import('./verbs/serve.js')).serveVerb,
  },
  {
    name: 'mcp',
    summary: 'let a coding agent read the loop over MCP',
    argument: ['[action...]', 'grant, a decision and the id of a fix'],
    load: async () => (await import('./verbs/mcp.js')).mcp,
  },
  {
    name: 'watch',
    summary: 'read outcomes from files that programs drop into a folder',
    argument: ['<folder>', 'the folder that files are dropped into; created if it is missing'],
    load: async () => (await import('./verbs/watch.js')).watch,
  },
];

const REVIEW: readonly Row[] = [
  {
    name: 'status',
    aliases: ['health'],
    summary: 'health, failures, trials and decisions in five lines',
    load: async () => (await import('./verbs/status.js')).status,
  },
  {
    name: 'top',
    summary: 'health, failures and trials live in the terminal',
    load: async () => (await import('./verbs/top.js')).top,
  },
  {
    name: 'dashboard',
    summary: 'a page with what fails and what is tried; decide there',
    load: async () => (await import('./verbs/dashboard.js')).dashboardVerb,
  },
  {
    name: 'cycle',
    summary: 'run one cycle: propose settings and rules',
    load: async () => (await import('./verbs/cycle.js')).cycle,
  },
  {
    name: 'review',
    summary: 'what waits for a decision, and the commands to decide',
    load: async () => (await import('./verbs/review.js')).review,
  },
  {
    name: 'fixes',
    summary: 'all fixes: proposed, on trial, confirmed, rolled back',
    load: async () => (await import('./verbs/fixes.js')).fixes,
  },
  {
    name: 'explain',
    summary: 'one fix: why, who decided what and when, and its result',
    argument: FIX,
    load: async () => (await import('./verbs/explain.js')).explain,
  },
  {
    name: 'audit',
    summary: 'repeat the trial of a fix, and check its assumptions',
    argument: FIX,
    load: async () => (await import('./verbs/audit.js')).audit,
  },
];

const DECIDE: readonly Row[] = [
  {
    name: 'propose',
    summary: 'propose your own version of a prompt, to be proven',
    argument: ['<file>', 'the file with your version of the text'],
    load: async () => (await import('./verbs/propose.js')).propose,
  },
  {
    name: 'approve',
    aliases: ['accept'],
    summary: 'start the trial of a fix, or keep one without proof',
    argument: FIX,
    load: async () => (await import('./verbs/decisions.js')).approve,
  },
  {
    name: 'apply',
    summary: 'apply a fix immediately, without a trial',
    argument: FIX,
    load: async () => (await import('./verbs/decisions.js')).apply,
  },
  {
    name: 'reject',
    aliases: ['decline'],
    summary: 'reject a fix',
    argument: FIX,
    load: async () => (await import('./verbs/decisions.js')).reject,
  },
  {
    name: 'repeatable',
    summary: 'say whether a task may run again after a failure',
    argument: TASK,
    load: async () => (await import('./verbs/decisions.js')).repeatable,
  },
  {
    name: 'rollback',
    aliases: ['undo', 'revert'],
    summary: 'roll back a fix that is on trial or in force',
    argument: FIX,
    load: async () => (await import('./verbs/decisions.js')).rollback,
  },
  {
    name: 'reconsider',
    summary: 'propose a rejected or rolled-back fix again',
    argument: FIX,
    load: async () => (await import('./verbs/decisions.js')).reconsider,
  },
  {
    name: 'freeze',
    summary: 'roll back every running trial and start no other',
    load: async () => (await import('./verbs/decisions.js')).freeze,
  },
  {
    name: 'unfreeze',
    summary: 'end a freeze',
    load: async () => (await import('./verbs/decisions.js')).unfreeze,
  },
  {
    name: 'pause',
    summary: 'pause trials; they keep their evidence',
    load: async () => (await import('./verbs/decisions.js')).pause,
  },
  {
    name: 'resume',
    summary: 'end a pause',
    load: async () => (await import('./verbs/decisions.js')).resume,
  },
];

const IN_FORCE: readonly Row[] = [
  {
    name: 'config',
    summary: 'the configuration in force, and what sets each value',
    load: async () => (await import('./verbs/config.js')).configVerb,
  },
  {
    name: 'policy',
    summary: 'settings: value, origin, and the bounds for fixes',
    argument: ['[task]', 'only the settings of this task'],
    load: async () => (await import('./verbs/policy.js')).policy,
  },
  {
    name: 'rules',
    summary: 'rules for agents: their files and their effects',
    load: async () => (await import('./verbs/rules.js')).rules,
  },
  {
    name: 'advice',
    summary: 'the rules for a task, one per line, for an agent',
    argument: ['[task]', 'the name of the task'],
    load: async () => (await import('./verbs/advice.js')).advice,
  },
];

const MAINTAIN: readonly Row[] = [
  {
    name: 'export',
    summary: 'outcomes as JSON lines or CSV, or as training data',
    load: async () => (await import('./verbs/export.js')).exportVerb,
  },
  {
    name: 'erase',
    summary: 'remove records permanently',
    load: async () => (await import('./verbs/erase.js')).erase,
  },
  {
    name: 'notify',
    summary: 'where alerts go; send a test alert',
    load: async () => (await import('./verbs/notify.js')).notify,
  },
  {
    name: 'gaps',
    summary: 'what other projects on this disk offer and yours does not',
    argument: ['<folder...>', 'folders of other projects'],
    load: async () => (await import('./verbs/gaps.js')).gaps,
  },
  {
    name: 'models',
    summary: 'which model servers can be reached, and how fast they are',
    load: async () => (await import('./verbs/models.js')).models,
  },
  {
    name: 'services',
    summary: 'run model servers and other processes, with their logs',
    argument: ['[verb...]', 'start, stop, restart, status, logs or print, then names'],
    load: async () => (await import('./verbs/services.js')).services,
  },
  {
    name: COMPLETION,
    summary: 'complete verbs, options and ids in bash, zsh or fish',
    argument: ['[shell]', 'bash, zsh or fish'],
    load: async () => (await import('./verbs/completion.js')).completion,
  },
  {
    name: 'store',
    summary: 'prepare a database, copy a loop, upgrade a folder',
    argument: ['<action...>', 'migrate, roles, upgrade, or copy and two places'],
    load: async () => (await import('./verbs/store.js')).storeVerb,
  },
  {
    name: 'doctor',
    summary: 'check the store, and say what to do about problems',
    load: async () => (await import('./verbs/doctor.js')).doctor,
  },
];

/** Verbs of `rsi` in the order of its help, grouped by purpose. The parser, the help and shell completion read this table. */
export const GROUPS: readonly { readonly title: string; readonly rows: readonly Row[] }[] = [
  { title: 'Find what fails:', rows: FIND },
  { title: 'Attach to agents:', rows: ATTACH },
  { title: 'Review:', rows: REVIEW },
  { title: 'Decide:', rows: DECIDE },
  { title: 'See what is in force:', rows: IN_FORCE },
  { title: 'Maintain:', rows: MAINTAIN },
];

/** Verbs of the daily work, which the short help lists. `rsi help all` lists {@link GROUPS}. */
export const DAILY: typeof GROUPS = [
  { title: 'See what fails:', rows: rowsOf('analyze', 'status', 'dashboard') },
  { title: 'Attach to agents:', rows: rowsOf('init', 'serve', 'ci') },
  { title: 'Decide:', rows: rowsOf('review', 'explain', 'approve', 'reject', 'rollback', 'pause') },
];

/** Returns the row of a name or an alias. */
export function findRow(name: string | undefined): Row | undefined {
  if (name === undefined) return undefined;
  const rows = GROUPS.flatMap(({ rows }) => rows);
  return rows.find((row) => row.name === name || row.aliases?.includes(name));
}

function rowsOf(...names: readonly string[]): readonly Row[] {
  return names.flatMap((name) => findRow(name) ?? []);
}
