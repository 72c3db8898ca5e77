/** The fields of an outcome under all the names people and providers send them by. */
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
  | 'cachedTokens'
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
  | 'weight';

/** Written without case, `_`, `-`, `.` and blanks, so that `task_type`, `taskType` and `Task-Type` are one. */
const ALIASES: { readonly [Name in FieldName]: string } = {
  id: 'id outcomeid',
  task: 'task tasktype taskname',
  success: 'success succeeded successful ok passed',
  failed: 'failed iserror',
  status: 'status outcome result',
  atMs: 'atms timestampms',
  at: 'at ts timestamp time endtime endedat finishedat createdat',
  source: 'source',
  session: 'session sessionid conversationid threadid',
  endsSession: 'endssession sessionended lastofsession',
  agent: 'agent agentname agentid',
  parent: 'parent parentid',
  model: 'model modelname modelid',
  tool: 'tool toolname',
  durationMs: 'durationms duration latencyms latency elapsedms elapsed tookms',
  durationS: 'durations durationsec durationseconds latencys latencyseconds elapsedseconds',
  tokens: 'tokens usage tokenusage tokenuse',
  inputTokens: 'inputtokens prompttokens tokensin tokensinput inputtokencount prompttokencount promptevalcount',
  outputTokens: 'outputtokens completiontokens tokensout tokensoutput outputtokencount candidatestokencount evalcount',
  cachedTokens: 'cachereadinputtokens cachecreationinputtokens',
  costUsd: 'costusd cost usd totalcost totalcostusd priceusd',
  quality: 'quality qualityscore rating',
  error: 'error errormessage errormsg err exception',
  errorName: 'errorname errortype errorclass exceptiontype',
  errorCode: 'errorcode code',
  errorStatus: 'errorstatus statuscode httpstatus httpstatuscode httpcode',
  retryAfterMs: 'retryafterms',
  retryAfterS: 'retryafter retryafterseconds',
  issues: 'issues issue issuetype issuetypes',
  fingerprint: 'fingerprint',
  attempts: 'attempts',
  expected: 'expected',
  actual: 'actual',
  severity: 'severity',
  context: 'context metadata extra',
  tags: 'tags labels',
  managed: 'managed',
  weight: 'weight',
};

const FIELD_OF = /* @__PURE__ */ fieldsByAlias();

function fieldsByAlias(): ReadonlyMap<string, FieldName> {
  const names = Object.keys(ALIASES) as FieldName[]; // the table's keys are the field names
  return new Map(names.flatMap((name) => ALIASES[name].split(' ').map((alias) => [alias, name] as const)));
}

/** No alias is longer, also with its separators. */
const MAX_ALIAS = 40;

/** Which field a key means; `undefined` for what belongs into `context`. */
export function fieldOf(key: string): FieldName | undefined {
  if (key.length > MAX_ALIAS) return undefined;
  return FIELD_OF.get(key) ?? FIELD_OF.get(key.replace(/[_\-. ]/g, '').toLowerCase());
}
