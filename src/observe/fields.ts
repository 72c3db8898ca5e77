/** Fields of an outcome, under all names that people and providers send them by. */
export type FieldName =
  | 'id'
  | 'task'
  | 'success'
  | 'failed'
  | 'status'
  | 'at'
  | 'atMs'
  | 'source'
  | 'session'
  | 'endsSession'
  | 'agent'
  | 'parent'
  | 'model'
  | 'tool'
  | 'durationMs'
  | 'durationS'
  | 'tokens'
  | 'inputTokens'
  | 'outputTokens'
  | 'cacheReadInputTokens'
  | 'costUsd'
  | 'quality'
  | 'error'
  | 'errorName'
  | 'errorCode'
  | 'errorStatus'
  | 'retryAfterMs'
  | 'retryAfterS'
  | 'issues'
  | 'fingerprint'
  | 'attempts'
  | 'expected'
  | 'actual'
  | 'severity'
  | 'context'
  | 'tags'
  | 'managed'
  | 'repeatable'
  | 'models'
  | 'weight';

/**
 * Aliases of each field. Written without case, `_`, `-`, `.` and spaces, so that `task_type`, `taskType` and
 * `Task-Type` are the same.
 */
const ALIASES: { readonly [Name in FieldName]: string } = {
  id: 'outcomeid eventid',
  task: 'tasktype taskname',
  success: 'succeeded successful ok passed',
  failed: 'iserror',
  status: 'outcome result',
  atMs: 'timestampms',
  at: 'ts timestamp time endtime endedat finishedat createdat',
  source: '',
  session: 'sessionid conversationid threadid',
  endsSession: 'sessionended lastofsession',
  agent: 'agentname agentid',
  parent: 'parentid',
  model: 'modelname modelid',
  tool: 'toolname',
  durationMs: 'duration latencyms latency elapsedms elapsed tookms',
  durationS: 'durationsec durationseconds latencys latencyseconds elapsedseconds',
  tokens: 'usage tokenusage tokenuse',
  inputTokens: 'prompttokens tokensin tokensinput inputtokencount prompttokencount promptevalcount',
  outputTokens: 'completiontokens tokensout tokensoutput outputtokencount candidatestokencount evalcount',
  cacheReadInputTokens: 'cachecreationinputtokens',
  costUsd: 'cost usd totalcost totalcostusd priceusd',
  quality: 'qualityscore rating',
  error: 'errormessage errormsg err exception',
  errorName: 'errortype errorclass exceptiontype',
  errorCode: 'code',
  errorStatus: 'statuscode httpstatus httpstatuscode httpcode',
  retryAfterMs: '',
  retryAfterS: 'retryafter retryafterseconds',
  issues: 'issue issuetype issuetypes',
  fingerprint: '',
  attempts: '',
  expected: 'expectedoutcome expectedresult',
  actual: 'actualoutcome actualresult',
  severity: '',
  context: 'metadata extra',
  tags: 'labels',
  managed: '',
  repeatable: '',
  models: '',
  weight: '',
};

const FIELD_OF = /* @__PURE__ */ fieldsByAlias();

function fieldsByAlias(): ReadonlyMap<string, FieldName> {
  const names = Object.keys(ALIASES) as FieldName[]; // the table's keys are the field names
  const spellings = (name: FieldName) => `${name} ${name.toLowerCase()} ${ALIASES[name]}`.trim().split(' ');
  return new Map(names.flatMap((name) => spellings(name).map((alias) => [alias, name] as const)));
}

/** Maximum length of an alias, with its separators. */
const MAX_ALIAS = 40;

/** Returns the field that a key means; `undefined` if it belongs in `context`. */
export function fieldOf(key: string): FieldName | undefined {
  if (key.length > MAX_ALIAS) return undefined;
  return FIELD_OF.get(key) ?? FIELD_OF.get(key.replace(/[_\-. ]/g, '').toLowerCase());
}
