import type { Actor, ActorEvidence, ActorFinding } from '../contract/actor.js';
import type { Issue } from '../contract/issue.js';
import { isAgentSource } from '../lib/agent-sources.js';
import { recordedText } from '../lib/recorded-text.js';
import { SHELLS } from './remedies/programs.js';
import type { CourseFact, RemedyRow } from './remedies/row.js';
import { REMEDIES } from './remedies/table.js';

/** Facts about failures that belong together. */
export interface ActorFacts {
  readonly task: string;
  readonly issue: Issue;
  /** Different messages of the failures; may be empty. */
  readonly texts: readonly string[];
  readonly sources?: readonly string[];
  /** Counts of course facts, and the number of failures whose steps are known. */
  readonly course?: CourseCounts;
}

export interface CourseCounts {
  readonly known: number;
  readonly facts: Readonly<Partial<Record<CourseFact, number>>>;
}

/** Characters of a message that are read. */
const MAX_READ = 600;
const PREFIX =
  /^(?:Error: )?(?:<tool_use_error>\s*)?(?:Error: )?(?:Exit code \d{1,3}\b:?\s*)?(?:<tool_use_error>\s*)?/i;
/** Pattern of rows that match every text. */
const EVERY = '(?:)';
const MAX_SAID = 3;
/** Remedies named for failures whose messages disagree. */
const MAX_TODOS = 2;
const MAX_VALUE = 60;

/**
 * Finds who must act on failures, and what to do. A message decides first, then the class. Different messages must agree:
 * if they do not, the answer is `undetermined`.
 */
export function findActor(facts: ActorFacts): ActorFinding {
  const texts = facts.texts.map(plainMessage).filter((text) => text !== '');
  const rows = texts.map((text) => remedyFor(text, facts));
  const [row] = rows;
  if (row && rows.every((other) => other === row)) return byRow(row, texts, facts);
  const found = rows.filter((one) => one !== undefined);
  if (found.length > 0) return mixed(found, texts);
  return byClass(facts, texts.length);
}

/** Returns the first remedy that fits a message. */
export function remedyFor(text: string, { task, issue, course }: Omit<ActorFacts, 'texts'>): RemedyRow | undefined {
  return REMEDIES.find(
    (row) =>
      (row.issue === undefined || row.issue === issue) &&
      (row.task === undefined || row.task.test(task)) &&
      (row.course === undefined || isUsual(course, row.course)) &&
      row.says.test(text),
  );
}

/** Returns the message as the remedies read it: without the exit code and the wrapper of an agent's tool. */
export function plainMessage(message: string): string {
  return message
    .slice(0, MAX_READ)
    .replace(PREFIX, '')
    .replace(/<\/tool_use_error>\s*$/, '')
    .trim();
}

function isUsual(course: CourseCounts | undefined, fact: CourseFact): boolean {
  const count = course?.facts[fact] ?? 0;
  return course !== undefined && count > 0 && count * 2 >= course.known;
}

function byRow(row: RemedyRow, texts: readonly string[], { course }: ActorFacts): ActorFinding {
  const { id, who, todo, rule } = row;
  const evidence: ActorEvidence = {
    matched: texts.length,
    of: texts.length,
    said: saidIn(row, texts),
    ...(row.course &&
      course && { course: { fact: row.course, count: course.facts[row.course] ?? 0, of: course.known } }),
  };
  return { who, remedy: id, todo: withValues(todo, valuesIn(row, texts)), ...(rule && { rule }), evidence };
}

function mixed(found: readonly RemedyRow[], texts: readonly string[]): ActorFinding {
  const [first] = found;
  const agree = found.length === texts.length && found.every(({ who }) => who === first?.who);
  const todos = [...new Set(found.map(({ todo }) => withValues(todo, [])))];
  return {
    who: agree && first ? first.who : 'undetermined',
    remedy: 'mixed',
    todo: todos.length === 1 && agree ? (todos[0] ?? READ) : `Several causes: ${numbered(todos.slice(0, MAX_TODOS))}`,
    evidence: { matched: found.length, of: texts.length, said: [] },
  };
}

function numbered(todos: readonly string[]): string {
  return todos.map((todo, index) => `(${index + 1}) ${todo}`).join(' ');
}

const READ = 'Read two of the sessions: the message names no cause.';

function saidIn({ says }: RemedyRow, texts: readonly string[]): readonly string[] {
  // A row for an issue that the source named matches every text: quote the texts then.
  const said = texts
    .map((text) => (says.source === EVERY ? text : (says.exec(text)?.[0]?.trim() ?? '')))
    .filter((words) => words !== '');
  return [...new Set(said.map((words) => recordedText(words).slice(0, MAX_VALUE)))].slice(0, MAX_SAID);
}

function valuesIn({ says }: RemedyRow, texts: readonly string[]): readonly string[] {
  const values = texts.map((text) => says.exec(text)?.slice(1).find(Boolean) ?? '').filter((value) => value !== '');
  return [...new Set(values.map((value) => recordedText(value).slice(0, MAX_VALUE)))].slice(0, MAX_SAID);
}

/** Puts the recorded values into the sentence; a general word where there is none. */
function withValues(todo: string, values: readonly string[]): string {
  const named = values.length > 0 ? values.join(', ') : 'it';
  return todo.replace('$1', () => named).replace(/^it\b/, 'It');
}

/** Decides by class if no message does. A class makes no rule: two failures of one class may need opposite ones. */
function byClass({ task, issue, sources = [] }: ActorFacts, of: number): ActorFinding {
  const known = classRow(issue, task, sources.length > 0 && sources.every(isAgentSource));
  const [who, todo] = known ?? (['undetermined', READ] as const);
  const evidence = { matched: 0, of, said: [] };
  return { who, remedy: known ? `class/${issue}` : 'none', todo, evidence };
}

type ClassRow = readonly [Actor, string];

function classRow(issue: Issue, task: string, isWatched: boolean): ClassRow | undefined {
  // An issue can be any text, such as `constructor`.
  const known = Object.hasOwn(BY_CLASS, issue) ? BY_CLASS[issue] : undefined;
  if (known === undefined || known[0] !== 'loop') return known;
  // The output of a command is no answer of a model: `parse_error` then says that some program could not read some text.
  if (OF_ANSWERS.has(issue) && SHELLS.test(task)) return undefined;
  return isWatched ? WATCHED[issue] : known;
}

/** Classes whose remedy is for the answer of a model. */
const OF_ANSWERS: ReadonlySet<string> = new Set(['empty_response', 'parse_error', 'context_length']);

const BY_CLASS: Readonly<Record<string, ClassRow>> = {
  rate_limit: ['loop', 'Space the calls, or wait as long as the answer says.'],
  overloaded: ['loop', 'Wait longer between attempts, or list a second model.'],
  server_error: ['loop', 'Repeat the call if it may run twice.'],
  network: ['loop', 'Repeat the call if it may run twice.'],
  timeout: ['loop', 'Raise the time limit, or make the step smaller.'],
  empty_response: ['loop', 'Try again once, or another model.'],
  parse_error: ['loop', 'Ask for the form in the prompt, check it, and try again once.'],
  context_length: ['loop', 'Limit the input, or compact the session earlier.'],
  cost_overrun: ['loop', 'Lower the number of steps, or use a cheaper model.'],
  slow_response: ['loop', 'Set a time limit, or use a faster model.'],
  model_fallback: ['loop', 'Look at why the requested model failed before another one answered.'],
  wrong_model_tier: ['loop', 'Route these tasks to the model they need.'],
  bad_routing: ['loop', 'Route these tasks to the model they need.'],
  quota_exceeded: ['operator', 'Raise the quota, or wait for its reset: another call fails too.'],
  auth: ['operator', 'Check the key, or log in again: another call fails too.'],
  model_not_found: ['operator', 'Correct the name of the model in the settings of this program.'],
  resource_exhausted: ['operator', 'Free memory, disk or connections on this machine.'],
  context_loss: ['agent', 'Write decisions and open steps into notes, and read them first.'],
  session_reset: ['agent', 'Write decisions and open steps into notes, and read them first.'],
  compaction_lost_context: ['agent', 'Write decisions and open steps into notes before a compaction.'],
  memory_miss: ['agent', 'Write decisions and open steps into notes, and read them first.'],
  hydration_fail: ['agent', 'Write decisions and open steps into notes, and read them first.'],
  wal_miss: ['agent', 'Write decisions and open steps into notes, and read them first.'],
  incomplete_task: ['agent', 'Go through the request item by item before calling it done.'],
  over_confirmation: ['agent', 'Act where the request is clear.'],
  repeated_mistake: ['agent', 'Say what went wrong the first time before trying again.'],
  loop: ['agent', 'Stop after two steps that bring nothing new.'],
  missing_tool: ['agent', 'Say which tool is missing, and go on with what can be done.'],
  skill_gap: ['agent', 'Say which skill is missing, and go on with what can be done.'],
  wrong_output: ['agent', 'Compare the result with the request before handing it over.'],
};

/** Remedies for agents whose calls read no settings of the loop. Classes without one are undetermined. */
const WATCHED: Readonly<Record<string, ClassRow>> = {
  rate_limit: [
    'provider',
    'Wait for the limit to reset: this agent makes its own calls and reads no settings of the loop.',
  ],
  overloaded: ['provider', 'Wait: the provider is overloaded, and this agent makes its own calls.'],
  server_error: ['provider', 'Wait: the provider failed, and this agent makes its own calls.'],
  empty_response: ['provider', 'Ask again: the model answered nothing, and this agent makes its own calls.'],
  network: ['operator', 'Look at the network of this machine: this agent makes its own calls.'],
  timeout: ['agent', 'Make the step smaller, or run it in the background.'],
  context_length: [
    'user',
    'Compact the session earlier, or begin a new one: this agent reads no settings of the loop.',
  ],
  cost_overrun: ['user', 'Lower the number of steps, or choose a cheaper model in the settings of the agent.'],
};
