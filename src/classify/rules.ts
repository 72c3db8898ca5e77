import type { ErrorCategory } from '../records.js';

/**
 * One row: a category, a name, how surely it is meant (in hundredths), and the phrases that point at it, in the language of
 * `PhraseTree`. They are looked for in wording, codes, types and class names alike, all read as words: `RateLimitError`,
 * `rate_limit_error` and "rate limit error" are the same. The surest row decides, among equals the one furthest in.
 * What is said above a row is why it is there; `docs/classify-rules.md` is made from this file.
 */
export type RuleRow = readonly [category: ErrorCategory, name: string, confidence: number, phrases: string];

export const RULES: readonly RuleRow[] = [
  // Reports that nothing failed, or that it was overcome.
  [
    'unknown',
    'no-failure',
    99,
    'succeeded attempt|after|retry, retry|retries|# succeeded, recovered after, no|0 errors|error|issues|problems|failures found|failed|detected, # passed 0 failed, 0 failed, all tests|checks passed, connection restored|reestablished, reconnected after, completed successfully, successfully completed|reconnected|recovered, # requests remaining, token usage, will removed, listening port',
  ],
  // The parameter is what the model does not take, not the model.
  ['validation', 'parameter', 99, 'unsupported parameter|value, parameter .. not supported, invalid|unknown parameter'],
  // Disk quota is no money.
  ['resource_exhausted', 'disk-quota', 99, 'disk|storage quota'],
  // The model or deployment asked for is not there, also inside a 400.
  [
    'model_not_found',
    'model',
    98,
    'model|models|deployment .. not found|exist|available|valid|supported generatecontent|any, model|models|deployment .. doesnt|dont|didnt exist, model not supported|configured|loaded|recognized, model .. decommissioned|deprecated|retired|removed|unavailable|discontinued, model identifier|id invalid, invalid|unknown|unsupported|missing model, no such model, no model|endpoints|deployments found|named, not resolve .. model, not valid model, not find model, on demand throughput, model version .. end life, llm provider not, not found error model, not found error message model, try pulling',
  ],
  // More text than the model takes in one go.
  [
    'context_length',
    'context',
    98,
    'context length|window|size|limit, maximum|max context|sequence|model length|len, prompt|input|conversation|messages .. too long|large, sequence length longer, token count .. exceed*, tokens .. exceed*, number|many tokens .. exceed*|maximum|received, too many total|input tokens, total number tokens, reduce length|prompt, maximum number .. tokens, tokens|prompt .. window, exceed* .. context|token limit, token limit exceeded, messages dropped, longer than .. context|model, model window, input exceeds, too large process, tokens .. max new tokens, input tokens|length .. maximum|limit',
  ],
  // Refused for what it says or asks.
  [
    'content_filter',
    'filter',
    98,
    'content filter*|policy|management|moderation, responsible ai, safety system|filter|reasons|settings|policies, due|blocked safety|prohibited|recitation|policy|blocklist, finish reason safety|recitation|spii|language|blocklist|prohibited, finishreason safety|recitation|spii|language, prohibited content, policy violation, flagged, moderation, guardrail*, usage polic*, unsafe, sensitive|inappropriate|harmful content|words|information|material, jailbreak*, refusal, request|generation refused, data inspection, blocked .. filter*|content|prompt|output|response, prompt|output|response|content .. blocked|rejected, violat* .. polic*|guidelines|terms, declined .. answer|safety, contain content not allowed, harm category, safety reasons',
  ],
  // Money, plan or credit that ran out: waiting a minute does not help.
  [
    'quota_exceeded',
    'money',
    97,
    'insufficient quota|balance|credit*|funds, billing .. active|limit|details|period, payment required|method, budget .. exceeded, exceeded budget, over budget, credit* .. low|exhausted|depleted|used, spend|spending|monthly|credit|plan limit, unpaid, trial key, usage limit|limits, purchase|no|requires credits, requires more credits, out credits, month limit, limit month, check plan, plan used, free plan, subscription .. expired|ended|inactive|lapsed, monthly|daily .. quota|allowance|cap, renew plan|subscription, upgrade plan, character allowance, arrearage, suspended, !402',
  ],
  // A limit with a time window, whatever else the message advises.
  [
    'rate_limit',
    'window',
    97,
    '*requests|tokens|calls|queries|images|messages|lookups per min|minute|second|sec|hour|day, per minute|second|hour|day, requests|tokens|queries|lookups|calls second|min, rpm|tpm|rpd|tpd|qps|rps, secondary rate',
  ],
  // Codes and wording for a server that has no room now.
  [
    'overloaded',
    'load',
    96,
    'overload*, !529, service tier capacity, model not ready, currently loading, warming up, server|servers|service|model|system|engine|workers|upstream|too .. busy, at|over|no|capacity capacity|exceeded|available|reached, high|heavy|much demand|traffic|load, maximum pending, queue full, requests queued, saturated, shedding, no .. instances|upstream|backends available, no healthy',
  ],
  // The work a tool was asked to do came out negative.
  [
    'tool_failure',
    'work',
    96,
    '# failed # passed, # passed # failed, tests # failed, fail|failed|failing tests|test, # problems # errors, build|compilation failed, not compile, merge conflict, automatic merge, patch .. apply, failed push, overwritten merge, assertion error',
  ],
  // Waiting ended: errno names, class names, statuses.
  [
    'timeout',
    'waited',
    95,
    'etimedout, esockettimedout, deadline exceeded, deadline, headers|body|connect|read|request|gateway|lock|socket|statement|idle|api|client timeout, timeout error|exceeded|expired|reached|after|waiting|occurred|awaiting, timeout .. exceeded, gateway time out, !504, !408, !524, #524, exit|exited .. #124, #32001, timed|times out, timedout, took longer|too, time limit, exceeded|maximum .. duration|time, unable get response less, no response within, due timeout',
  ],
  // The connection did not come about or broke.
  [
    'network',
    'connection',
    94,
    'econn*, enotfound, eai again, ehostunreach, enetunreach, enetdown, epipe, enotconn, eproto, eaddrnotavail, und err socket, socket hang|closed|disconnected|error, getaddrinfo, err internet|name|connection *, connection .. refused|reset|closed|terminated|lost|error|failed|broken|dropped|failure|interrupted|unexpectedly|aborted, connection error|failure, not|cannot|unable|failed .. connect|reach, connect exception, broken pipe, no such host, name service not, name resolution, nodename nor, no route, unreachable, resolve host, unknown host, dns, self signed, certificate, unknown authority, local issuer, ssl|tls error|routines|handshake, handshake, unexpected eof, remote|peer|server|side closed|disconnected, connection attempts, premature close, prematurely closed, incomplete chunked, closed abnormally, recv failure, proxyconnect, network error|request|failure|changed, disconnect reset, !521, !522, !523, !525, !526, !530',
  ],
  // Memory, disk, handles or processes of the machine ran out.
  [
    'resource_exhausted',
    'machine',
    96,
    'out memory, outofmemory*, oom, oomkilled, memory error, memoryerror, enomem, enospc, nospc, emfile, enfile, no space, insufficient|not|no .. space|memory|disk|storage|gpu|cpu|resources, disk full, heap space|limit, too many open|connections|clients, cannot|failed allocate, allocation|alloc failed, system memory, memory limit, low .. resource, resource temporarily unavailable, #137, sigkill, start new thread, shared memory, used memory, call stack size, stack overflow, file watchers, requires more .. memory, connection slots, pool exhausted',
  ],
  // A key, token or password that is missing, wrong or out of date.
  [
    'auth',
    'credentials',
    95,
    'invalid|incorrect|missing|wrong|bad|no|valid|revoked|expired .. key|token|credential*|password|username, key|token|credential*|password|jwt .. invalid|incorrect|missing|wrong|revoked|expired|malformed|required|not valid|not set|not provided, authentication|auth error|failed|failure|required|invalid, unauthorized, unauthorised, unauthenticated, not authenticated|authed|logged, requires authentication, invalid auth|grant|client|bearer|signature|login, api key must|client|option, unrecognized client, signature .. not match, aadsts*, wrongpass, no auth*, publickey, locate|default credentials, could not read username|password, using password, login required|failed, log|logged|sign again|in, must log*, session expired, subscription key, authorization header, expired .. token',
  ],
  // HTTP 401 and its kin.
  ['auth', 'status', 80, '!401, !407, !498'],
  // Nothing was in the answer.
  [
    'empty_response',
    'nothing',
    95,
    'empty response|reply|completion|message|answer|output|content|result|body|string|generation|text, response|reply|completion|message|answer|output|content|choices|candidates empty, no content|output|object generated|returned, no content response, no choices|candidates|generations|output|completion, did|does not return .. response|content|text|anything, returned nothing|none|empty, blank response|answer|output, answer blank, zero length, without producing, neither content, null content, content .. got null, received none, least one choice, # characters no, range .. choices, got empty',
  ],
  // Too much in too short a time.
  [
    'rate_limit',
    'wording',
    91,
    'too many requests|calls|attempts|messages|concurrent, too many tokens wait, toomanyrequests, rate limit*, ratelimit*, rate exceeded, throttl*, slow down, exceed* .. requests, concurren* .. limit|exceeded, request* limit, limit exceeded exception, provisioned throughput, flood wait|control',
  ],
  // A tool that is missing or cannot start.
  [
    'tool_failure',
    'start',
    93,
    'command not found, not recognized .. command, tool .. not found|exist, unknown|no tool|command|option|flag, no such tool|command, missing script, spawn .. enoent, executable .. not|doesnt, method not found, #32601, elifecycle, exit|exited .. #127, string .. not found .. file, # matches string, not been read, already in use, already use, not interactable, intercepted, server .. failed start, crashloopbackoff, back off restarting, oci runtime, segmentation fault, core dumped',
  ],
  // Text that cannot be read as the expected format.
  [
    'parse_error',
    'format',
    91,
    'unexpected token|end|character|eof, not valid json, invalid json|yaml|xml|toml|syntax|character|escape, json|yaml|xml|toml|toon parse|decode|error|expected|required, expecting value|property|comma|delimiter, expected property, extra data, unterminated, pars* .. failed|error|exception, not|failed|unable|cannot|error|cant .. parse|parsing|decode|unmarshal|deserialize, syntax error, scanner error, mismatched tag, unmarshal*, malformed, codec, start byte, decod* error, deserializ*, mapping values, nested mappings, not extract, not json, where json, json position, trailing comma, line contains nul, bad control character',
  ],
  // A schema or parameter the other side does not accept.
  [
    'validation',
    'schema',
    90,
    'validation error*|failed|failure|exception, zod*, pydantic, type validation, invalid type|value|argument*|parameter*|schema|input|format|enum|option|field|role|params, missing|required parameter|field|property|argument, field|parameter|property|argument .. required|missing, must positive|integer|number|string|one|equal|less|greater|match|array|object|non|boolean|contain|alternate|unique|provided|between|have, should less|greater|match|one|#, expected .. number|string|integer|boolean|array|object|duration|one, unexpected role|keyword|argument|property|field, unprocessable, unrecognized|unknown key*|argument*|field|property, not null constraint, unique|key|check constraint, duplicate key, violates .. constraint, not valid integer|number|string|enum|value|list|dict|schema, unsupported media|type|format, invalid .. syntax type, allowed values, too small|big, exceeds # mb, schema, found without, roles must, #32602, required but not',
  ],
  // Known, but not allowed: rights, region, policy.
  [
    'permission',
    'rights',
    91,
    'eacces, eperm, erofs, permission* .. denied, permission denied, access|command|request denied, access resource denied, denied access|permission|policy, not permitted|authorized|authorised|allowed access, forbidden, missing|insufficient|lacks scope|permission*|privilege*|rights, read only file, country|region|location .. not supported, unsupported country|region, not accessible, must owner|verified, not have .. permission*|access, no permission, not .. allowlist*|whitelist*, blocked network|firewall, network policy, access disabled|restricted|blocked, not used project, service disabled, password required, identity based policy, #1020',
  ],
  // Not there, said of a thing.
  [
    'not_found',
    'thing',
    89,
    'enoent, no such file|key|table|bucket|column|image|container|object|directory|database|index|volume|branch|remote|resource|record|entity, file|module|channel|resource|repository|page|table|collection|user not found, no module named, not find module|package|version, pathspec, not exist, doesnt exist, unknown database|table|column, manifest unknown, no .. found id, nosuchkey',
  ],
  // Somebody stopped it.
  [
    'cancelled',
    'stopped',
    83,
    'abort error, user abort*, abort* user, was|request|operation|client|execution aborted, cancel*, keyboard interrupt, interrupted, sigint, sigterm, ctrl c, !499, #499, #130, #143, user interruption|rejected|declined|doesnt want, rejected|declined|stopped by|user, client closed request, tool use rejected, aborted',
  ],
  // HTTP 429, and Cloudflare's number for it.
  ['rate_limit', 'status', 80, '!429, #1015'],
  // Not there, without saying what kind of thing.
  ['not_found', 'wording', 78, 'not found, notfound, not|cannot|unable|cant find|locate, gone'],
  // HTTP 403 and 404.
  ['permission', 'status', 70, '!403, !451'],
  ['not_found', 'status', 70, '!404, !410'],
  // Quota, without saying of what.
  ['quota_exceeded', 'quota', 62, 'quota, billing'],
  // The other side broke while answering.
  [
    'server_error',
    'wording',
    66,
    'internal error|failure|server, internal .. error, server error, server had error, unexpected|unknown error .. server|processing|model|web, encountered unexpected, error .. server, bad gateway, something went wrong, api error, worker crashed, backend error, side exception, model error, produced invalid, returned .. unexpected|unknown error, type internal, code internal, not implemented, upstream error, invalid response upstream, service unavailable, system error, !503',
  ],
  // HTTP 422 and 405: the request, whatever it says.
  ['validation', 'status', 65, '!422, !405, !415, method not allowed'],
  // HTTP 500 and its kin.
  ['server_error', 'status', 58, '!500, !501, !502, !520, #520'],
  // HTTP 413 to a model is mostly text.
  ['context_length', 'status', 52, '!413, payload|request|entity too large'],
  // gRPC's name for 429.
  ['rate_limit', 'grpc', 55, 'resource .. exhausted'],
  // A command says by its exit code that it failed.
  [
    'tool_failure',
    'exit',
    54,
    'exit|exited|exitcode .. #, exit|exited status, non zero, nonzero, command .. failed, called process error, error #1, error #2, npm err*',
  ],
  // Only that no answer came; a cause inside says more.
  ['network', 'fetch', 50, 'fetch failed, failed fetch, terminated, connection'],
  // Out of service for a while.
  ['overloaded', 'unavailable', 51, 'temporarily un*, temporarily unavailable'],
  // The bare word, which settings carry too.
  ['timeout', 'word', 45, 'timeout, timeouts'],
  // HTTP 400 says only that something in the request was wrong.
  ['validation', 'request', 40, '!400, bad request, invalid .. request, invalid'],
  ['overloaded', 'grpc', 35, 'unavailable'],
  // A format was being read.
  ['parse_error', 'word', 30, 'json, yaml'],
  // A tool failed; a reason inside says more.
  [
    'tool_failure',
    'wrapper',
    28,
    'tool .. failed|error|threw|exception, executing tool, mcp error, #32603, handler raised, function call failed, subprocess, fatal, failed start',
  ],
];
