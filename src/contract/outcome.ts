import type { OutcomeId } from './ids.js';
import type { Issue, Severity } from './issue.js';
import type { JsonObject } from './json.js';

/** Tokens that a task or a call used. */
export interface TokenUse {
  /** All input tokens, including those read from a cache. */
  readonly input: number;
  readonly output: number;
  /** Part of `input` that came from a cache, usually sold at about a tenth of the price. */
  readonly cachedInput?: number;
}

/** Error of a failed outcome, as it is stored. */
export interface OutcomeError {
  /** Redacted and truncated. */
  readonly message: string;
  readonly name?: string;
  readonly code?: string;
  /** HTTP status, 100 to 599. */
  readonly status?: number;
  readonly retryAfterMs?: number;
}

/** One try inside a task that `loop.run` executed. */
export interface Attempt {
  /** Wait before this attempt, in milliseconds. */
  readonly delayMs: number;
  readonly durationMs: number;
  readonly success: boolean;
  readonly model?: string;
  /** Class of the failure; only on failures. */
  readonly issue?: Issue;
  /** Calls of its model that ran in its process when it began, with itself; only on failures. */
  readonly inFlight?: number;
}

/** Kinds of field, with the type of their values. */
interface FieldKinds {
  /** Short text, such as a name or an id. */
  readonly name: string;
  readonly text: string;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly number: number;
  /** Flag that is also read from words and HTTP statuses. */
  readonly success: boolean;
  readonly flag: boolean;
  readonly names: readonly string[];
  readonly severity: Severity;
  readonly tokens: TokenUse;
  readonly error: OutcomeError;
  readonly attempts: readonly Attempt[];
  readonly object: JsonObject;
}

/** Row of the table of fields. */
export interface OutcomeField {
  readonly kind: keyof FieldKinds;
  /** Description for people, as published schemas show it. */
  readonly about: string;
  /** Other accepted spellings, without case, `_`, `-`, `.` and spaces. */
  readonly also?: string;
  readonly unit?: string;
  /** Smallest number accepted. Default 0. */
  readonly min?: number;
  /** Largest number accepted, or the maximum length of a list. */
  readonly max?: number;
  /** Set by the loop, or by programs that send whole outcomes. */
  readonly setBy?: 'loop';
}

const YEAR_2100_MS = 4_102_444_800_000;
const YEAR_MS = 366 * 86_400_000;

/**
 * Fields of an outcome. The type `Outcome`, the parser, the check of stored records, the published schemas and the
 * exports are derived from this table, so a new field is one row here.
 */
// biome-ignore format: one row per field
export const OUTCOME_FIELDS = {
  id: { kind: 'name', about: 'Unique id. An outcome that is sent twice is taken once.', also: 'outcomeid eventid', setBy: 'loop' },
  atMs: { kind: 'time', about: 'End of the task.', also: 'timestampms', unit: 'epoch milliseconds', max: YEAR_2100_MS },
  task: { kind: 'name', about: 'Name of the task.', also: 'tasktype taskname', setBy: 'loop' },
  success: { kind: 'success', about: 'Whether the task succeeded.', also: 'succeeded successful ok passed' },
  issues: { kind: 'names', about: 'What went wrong: classified from the error, and named by the caller.', also: 'issue issuetype issuetypes', max: 16 },
  source: { kind: 'name', about: 'System that recorded it, e.g. my-service. Default generic.' },
  session: { kind: 'name', about: 'Session it belongs to.', also: 'sessionid conversationid threadid' },
  endsSession: { kind: 'flag', about: 'Whether this was the last task of its session.', also: 'sessionended lastofsession' },
  agent: { kind: 'name', about: 'Agent that did it.', also: 'agentname agentid' },
  parent: { kind: 'name', about: 'Id of the enclosing task, whose rates and health leave this one out.', also: 'parentid' },
  service: { kind: 'name', about: 'Service that ran it, e.g. checkout.', also: 'servicename' },
  version: { kind: 'name', about: 'Release of the service, e.g. 1.4.2.', also: 'serviceversion release appversion' },
  region: { kind: 'name', about: 'Region that it ran in.', also: 'cloudregion zone datacenter' },
  host: { kind: 'name', about: 'Machine that it ran on.', also: 'hostname hostid' },
  model: { kind: 'name', about: 'Model that answered.', also: 'modelname modelid' },
  tool: { kind: 'name', about: 'Tool that was called.', also: 'toolname' },
  durationMs: { kind: 'number', about: 'Duration of the task.', also: 'duration latencyms latency elapsedms elapsed tookms', unit: 'milliseconds', max: YEAR_MS },
  tokens: { kind: 'tokens', about: 'Tokens used: an object with input and output.', also: 'usage tokenusage tokenuse' },
  costUsd: { kind: 'number', about: 'Price of the task.', also: 'cost usd totalcost totalcostusd priceusd', unit: 'US dollars', max: 1e9 },
  quality: { kind: 'number', about: '1 (useless) to 5 (perfect). There is no default.', also: 'qualityscore rating', min: 1, max: 5 },
  severity: { kind: 'severity', about: 'low, medium, high or critical.' },
  error: { kind: 'error', about: 'A text, or an object with message, name, code and status.', also: 'errormessage errormsg err exception' },
  fingerprint: { kind: 'name', about: 'Computed from the error message only, so it is the same on every machine.', setBy: 'loop' },
  attempts: { kind: 'attempts', about: 'Tries inside the task, each with success and durationMs.' },
  expected: { kind: 'text', about: 'Expected result.', also: 'expectedoutcome expectedresult' },
  actual: { kind: 'text', about: 'Actual result.', also: 'actualoutcome actualresult' },
  tags: { kind: 'names', about: 'Labels of your own.', also: 'labels', max: 32 },
  context: { kind: 'object', about: 'Anything else. Unknown fields go here.', also: 'metadata extra' },
  managed: { kind: 'flag', about: 'Whether the task was started through the loop and read its policy.', setBy: 'loop' },
  repeatable: { kind: 'flag', about: 'Whether the host allows the task to run again after a failure.', setBy: 'loop' },
  models: { kind: 'names', about: 'Models listed by the caller, best first; absent if there was only one.', max: 16, setBy: 'loop' },
  weight: { kind: 'number', about: 'Number of outcomes this one represents if others were sampled out. Default 1.', min: 1, max: 1_000, setBy: 'loop' },
} as const satisfies Readonly<Record<string, OutcomeField>>;

type Table = typeof OUTCOME_FIELDS;

/** Fields that only the loop sets, or a program that sends whole outcomes. */
export type LoopField = {
  [Name in keyof Table]: Table[Name] extends { readonly setBy: 'loop' } ? Name : never;
}[keyof Table];

type Values = { readonly [Name in keyof Table]?: FieldKinds[Table[Name]['kind']] };

/** Result of one task. Each task has exactly one outcome, regardless of its number of attempts. */
export interface Outcome extends Values {
  readonly id: OutcomeId;
  readonly atMs: number;
  readonly task: string;
  readonly success: boolean;
  readonly source: string;
  /** Empty on a clean success. */
  readonly issues: readonly Issue[];
}
