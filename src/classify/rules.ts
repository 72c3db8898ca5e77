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
    98,
    'succeeded, recovered, recovering, check passed, test .. passed, # passed, no|without error|issues|problems|failures|vulnerabilities|failed, restored|reconnected|reestablished, completed successfully, successfully completed, # requests remaining, token usage, will removed|retried, listening, initialised|initialized, started #, # ok, not problem, set timeout, warn deprecated, #0 errors',
  ],
  // A test, a build or a merge came out negative: the tool did its work.
  [
    'tool_failure',
    'work',
    99,
    '# failed # passed, # passed #1 failed, # passed # total, test|suites|specs failed|failure, fail|failing|failed test|src, build|compilation failed|failure, not compile, automatic merge, patch .. apply|failed|verification, unsuccessful*, resolve dependenc*|import|module, cannot find name|value, undefined reference|symbol, ld returned, unstaged, failed push, overwritten merge, assertion error expected, expect received, not assignable',
  ],
  // A bug in the calling program: the names in it say nothing.
  [
    'unknown',
    'program',
    97,
    'type error cannot|undefined|null, is not function|iterable|callable|defined, unsupported operand, unbound local error, name error, reference error, attribute error, access local variable, cannot read propert*, has no attribute, key error, index error, key not found exception, json serializable',
  ],
  // It is the parameter that the model does not take, not the model; or a value that may not be empty.
  [
    'validation',
    'parameter',
    99,
    'unsupported parameter|value, parameter .. not supported, unknown parameter, unexpected keyword, cannot|not|non empty|blank, 不 能|可 为空',
  ],
  // Says what a value has to be.
  [
    'validation',
    'must',
    93,
    'must positive|integer|number|string|one|equal|less|greater|match|array|object|json|non|boolean|contain|alternate|unique|provided|between|type|response|not, json schema, # validation error*',
  ],
  // The model or deployment asked for is not there, also inside a 400.
  [
    'model_not_found',
    'model',
    98,
    'model|deployment .. not found|exist|available|valid|supported|configured|loaded|recognized, model .. doesnt|didnt exist, model .. decommission*|deprecated|retired|removed|unavailable|discontinued|sunset, deployment unavailable, model id*|name invalid, invalid|unknown|unsupported|missing|no|such model, not resolve|find|valid|recognize .. model, no .. endpoints|deployments found, no available model|provider|channel, demand throughput, engine .. available|found, model .. end life, llm provider not, not found error .. model, try pulling',
  ],
  // More text than the model takes in one go.
  [
    'context_length',
    'context',
    98,
    'context length|window|size|limit, maximum|max context|sequence|model|conversation length|len|seq, models context, prompt|input|conversation|messages|content|string|text .. too long|large, longer than .. context|model|maximum, token .. exceed*, exceed* .. context|token|length, total|number|input tokens, many tokens, tokens .. at most, model supports, fit .. context|window, reduce length|prompt|messages, maximum number .. tokens, tokens window, messages dropped, model window, input exceeds, large process, maximum length, start new chat, compact* failed',
  ],
  // Refused for what it says or asks.
  [
    'content_filter',
    'filter',
    98,
    'content filter*|policy|management, responsible ai, safety, prohibited content, polic* violation, violat* polic*|guidelines|terms, usage polic*, content guidelines, protected material, flagged, moderat*, guardrail*, unsafe, sensitive|inappropriate|harmful content|words|information, jailbreak*, refusal, refused .. policy, request|generation refused, data inspection, blocked .. filter*|content|prompt|output|response, prompt|output|response|content|candidate .. blocked|rejected, recitation, spii, finish reason language|blocklist, declined .. answer, cant|cannot|unable|not assist|help with, pii detected, exists risk, content classif*, sexual*, copyright*',
  ],
  // A code or sentence for this case alone, whatever limit it names.
  ['quota_exceeded', 'code', 100, 'insufficient quota|balance|credit*|funds'],
  // Money, plan or credit that ran out: waiting a minute does not help.
  [
    'quota_exceeded',
    'money',
    97,
    'billing .. active|limit|details|period|enabled, hard limit, payment required, budget .. exceeded|reached|exhausted, free .. limit, exceeded .. monthly budget, top up, trial ended, exceeded budget, over|remaining|max budget, credit* .. low|exhausted|depleted|used|remaining, run out .. credits, spend|spending|monthly|plan limit, unpaid, trial key, usage limit, purchase|no|out|more credits, month limit, plan not|used, check plan, free plan|tier .. used|allows, tokens month, subscription .. expired|ended|inactive, afford, arrear*, recharge, monthly|daily .. quota|cap, renew, upgrade .. plan|account|continue, allowance, suspended, requires billing, !402',
  ],
  // A limit with a time window, whatever else the message advises.
  [
    'rate_limit',
    'window',
    99,
    'request|tokens|calls|queries|images|messages|lookups|quota per min|sec, per minute|second|hour|day, lookups|requests|queries|calls second|min, tokens minute, many tokens .. wait|minute, limite .. minuto, rpm|tpm|rpd|tpd|qps|rps, rate limit exceeded|reached, secondary rate',
  ],
  // A server that has no room now.
  [
    'overloaded',
    'load',
    96,
    'overload*, !529, currently loading, model .. loading, warming, cold start*, no free slots, workers in use, server|service|model|system|engine|workers|upstream|replicas|too .. busy, over|no capacity, capacity exceeded|available|reached, high|heavy|much demand|traffic|load, pending requests, queue full, requests queued, saturated, shedding, no .. instances|upstream|backends|server|workers available, no healthy',
  ],
  // Waiting ended.
  [
    'timeout',
    'waited',
    95,
    'etimedout, esockettimedout, deadline, headers|body|connect|read|request|gateway|lock|socket|statement|idle|api|client|navigation timeout, timeout error|exception|expired|reached|after|waiting|occurred|awaiting, timeout .. exceeded, time out, !504, !408, !524, exit|exited .. #124, timed out, timedout, took longer|too, time limit, exceeded|maximum .. duration|time|ms|seconds, time exceeded, still running, abandoned, no response within, not .. in time|answer time, due timeout, within # ms|seconds, waiting .. failed|exceeded, stalled, not respond*',
  ],
  // The connection did not come about or broke.
  [
    'network',
    'connection',
    94,
    'econn*, enotfound, eai again, ehostunreach, enetunreach, enetdown, epipe, enotconn, eproto, err socket|tunnel|internet|name|connection|network, socket hang|closed|disconnected|error, getaddrinfo, connection .. refused|reset|closed|terminated|lost|error|failed|broken|dropped|failure|interrupted|unexpectedly|aborted, not|cannot|unable|failed|error .. connect|reach|resolve|connecting|communicating, broken pipe, no such host, name service|resolution, nodename, no route, unreachable, resolve|unknown|lookup host, not resolved, lost connection, dns, self signed, certificate, unknown authority, local issuer, ssl|tls error|routines, handshake, unexpected eof, remote|peer|server|side|stream closed|disconnected, closed by remote|peer|server, connection attempts, premature*, incomplete chunked, closed abnormally, recv failure, proxyconnect, network error|request|failure|changed, disconnect reset, failed fetch, !521, !522, !523, !525, !526, !530',
  ],
  // Memory, disk, handles or processes of the machine ran out.
  [
    'resource_exhausted',
    'machine',
    97,
    'out memory, outofmemory*, oom, oomkilled, memory error|limit, memoryerror, enomem, enospc, nospc, emfile, enfile, no|insufficient|not|free|available .. space|memory|disk|storage|gpu|cpu, disk .. full, memory full, too many processes, overhead limit, heap space|limit, too many open|connections|clients, cannot|failed|unable|not allocate, alloc* failed, system|gpu memory, low resource, resource temporarily unavailable, #137, sigkill, killed process, process killed, start new thread, shared memory, used memory, call stack size, stack overflow, file watchers, requires more .. memory, connection slots, pool exhausted, disk|storage quota, nodes .. insufficient, resource limit*',
  ],
  // A key, token or password that is missing, wrong or out of date.
  [
    'auth',
    'credentials',
    95,
    'invalid|incorrect|missing|wrong|bad|valid|revoked|expired .. key|token|credential*|password|username, no key|token|credentials, no api key, key|token|credential*|password|jwt|username .. invalid|incorrect|missing|wrong|revoked|expired|malformed|required, key|token not valid|set|provided|found|configured, no|not valid key|token|credential*, authentication|auth error|failed|failure|required|invalid, unauthor*, unauthenticated, not authenticated|authed|logged, invalid auth|grant|client|bearer|signature|login|identity, api key must|client, unrecognized client, signature .. not match, wrongpass, no auth*, publickey, credential*, not read username|password, using password, login required|failed, log|logged|sign|run login|again, log continue, must|requires|need log*|auth*, session expired, subscription key, token signature, key .. disabled, gh token',
  ],
  // HTTP 401 and its kin.
  ['auth', 'status', 80, '!401, !407, !498'],
  // Nothing was in the answer.
  [
    'empty_response',
    'nothing',
    96,
    'empty response|reply|completion|message|answer|output|content|result|body|string|generation|text, response|reply|completion|message|answer|output|content|choices|candidates .. empty, no content generated|returned, no content response, no choices|candidates|generations|output|completion|parts, not|didnt return|produce|generate|give .. response|content|text|answer|output|anything, without .. text|answer|reply, returned nothing|none|empty, blank response|answer|output, answer blank, zero length, without producing, neither content, null content, content|text|choices .. null|none, received none, least one choice, # characters no, replied nothing, whitespace only',
  ],
  // Too much in too short a time.
  [
    'rate_limit',
    'wording',
    92,
    'too many requests|calls|attempts|messages|concurrent, toomanyrequests, rate limit*, ratelimit*, rate exceeded, throttl*, slow down, exceed* .. requests, concurren* .. limit|exceeded, request* limit, limit exceeded exception, provisioned throughput, flood, request rate, too quickly|frequent*',
  ],
  // A tool that is missing, cannot start or says why it did nothing.
  [
    'tool_failure',
    'start',
    93,
    'command|script not found, not apply, tool .. not found|exist, unknown|no|such|not tool|command|option|flag, no such tool, not valid tool, failed match, # problems|errors, missing script, spawn .. enoent, executable .. not|doesnt, method not found, #32601, elifecycle, string .. not found .. file, # matches string, not been read, already use, not interactable, intercepted, detached, browser has closed, crashloopbackoff, back off restarting, oci runtime, segmentation fault, core dumped, panicked, raised exception, not running|installed, execution context, target|page closed, stale element',
  ],
  // Text that cannot be read as the expected format.
  [
    'parse_error',
    'format',
    91,
    'unexpected token|end|character, not valid json, invalid yaml|xml|toml|syntax|character|escape, json|yaml|xml|toml parse|decode|error|expected|required|block, expecting value|property|comma|delimiter, expected property, extra data, unterminated, pars* .. failed|error|exception, not|failed|unable|cannot|error|cant .. pars*|decod*|deserial*, syntax error, scanner error|exception, mismatched tag, unmarshal*, malformed, codec, start byte, decod* error, mapping values|mappings, not extract, not json, html instead, instead json, where json, json position, expected json, missing|trailing comma, control character, not find .. llm output, model output .. format, xml|toml|yaml line|document',
  ],
  // Text that breaks the rules of its encoding or grammar, whatever its tokens are called.
  ['parse_error', 'encoding', 96, 'well formed, invalid utf*, parse|syntax error .. token'],
  // A schema or parameter the other side does not accept.
  [
    'validation',
    'schema',
    90,
    'validation error*|failed|failure|exception, zod*, pydantic, type validation, missing|required parameter|field|property|argument|message, field|parameter|property|argument|message .. required|missing, should less|greater|match|one|#|smaller, expected .. number|string|integer|boolean|array|object|duration|one, unexpected role|argument|property|field, unprocessable, unrecognized|unknown key*|argument*|field|property|operator, not null constraint, unique|key|check constraint, duplicate key|id|name|entry, sql syntax, violates .. constraint, not valid integer|number|string|enum|value|list|dict|against, unsupported media|type|format, syntax type, allowed values, value .. not in, too small|big, exceeds # mb, schema, found without, #32602, required but not, column .. type, not support one|all, not match pattern|regex',
  ],
  // Known, but not allowed: rights, region, policy.
  [
    'permission',
    'rights',
    91,
    'eacces, eperm, erofs, permission* .. denied, denied .. permission, access|command|request denied, denied access|policy, not permitted|authorized|authorised, not .. access, forbidden, missing|insufficient|lacks|sufficient scope|permission*|privilege*|rights, read only file, country|region|location .. not supported, unsupported country|region, not accessible, must owner|verified, no permission, not .. allowlist*|whitelist*, have blocked, network policy, access disabled|restricted, service disabled, allow list, outside .. allowed, outside .. workspace, row level security, saml, #1020',
  ],
  // A thing that is not there.
  [
    'not_found',
    'thing',
    89,
    'enoent, no such, no module named, pathspec, not exist, doesnt exist, unknown database|table|column, manifest unknown, no .. found|matches, nosuchkey',
  ],
  // Somebody stopped it.
  [
    'cancelled',
    'stopped',
    85,
    'abort error, cancel*, keyboard interrupt, interrupted, sigint, sigterm, ctrl c, !499, #130, #143, user interruption|rejected|declined|doesnt|denied, client closed request, use rejected, aborted, superseded, stopped newer|request, users request',
  ],
  // HTTP 429, and Cloudflare's number for it.
  ['rate_limit', 'status', 80, '!429, #1015'],
  // Not there, without saying what kind of thing.
  ['not_found', 'wording', 78, 'not found, notfound, not|cannot|unable|cant find|locate, gone'],
  // HTTP 403 and 404.
  ['permission', 'status', 70, '!403, !451'],
  ['not_found', 'status', 70, '!404, !410'],
  // The other side broke while answering.
  [
    'server_error',
    'wording',
    66,
    'internal failure|server, internal .. error, server error, server encountered error|internal, unexpected|unknown error .. processing|model|web, encountered unexpected, bad gateway, went wrong, api error, worker|backend|server crashed, backend error, side exception, model error, produced invalid, returned .. unexpected|unknown error, type|code internal, not implemented, upstream error, service unavailable, deadlock*, !503',
  ],
  // Mostly by the kernel, when memory ran out.
  ['resource_exhausted', 'killed', 60, 'killed'],
  // HTTP 422 and 405: the request, whatever it says.
  ['validation', 'status', 65, '!422, !405, !415, method not allowed'],
  // What may not be done, whoever asks.
  ['permission', 'word', 60, 'not allowed, protected'],
  // Quota, without saying of what.
  ['quota_exceeded', 'quota', 62, 'quota, billing'],
  // HTTP 500 and its kin.
  ['server_error', 'status', 58, '!500, !501, !502, !507, !520'],
  // gRPC's name for 429.
  ['rate_limit', 'grpc', 55, 'resource .. exhausted'],
  // A command says by its exit code that it failed.
  [
    'tool_failure',
    'exit',
    54,
    'exit|exited|exitcode .. #, exit|exited status|unexpectedly, non zero, nonzero, command .. failed, called process error, error #1, error #2, npm err*',
  ],
  // HTTP 413 to a model is mostly text.
  ['context_length', 'status', 52, '!413, payload|request|entity too large'],
  // Out of service for a while.
  ['overloaded', 'unavailable', 51, 'temporarily unavailable|unable, not ready'],
  // Only that no answer came; a cause inside says more.
  ['network', 'fetch', 50, 'fetch failed, terminated, connection, connect, disconnected, offline, urlopen'],
  // Words that settings carry too.
  ['timeout', 'word', 47, 'timeout, #32001'],
  // A bug in the calling program that may carry a reason, and lines of a log that are no error.
  ['unknown', 'exception', 42, 'illegal argument|state, invalid cast|operation exception, out range, info'],
  // HTTP 400 says only that something in the request was wrong.
  ['validation', 'bad-request', 45, '!400'],
  ['validation', 'request', 40, 'bad request, invalid'],
  ['overloaded', 'grpc', 35, 'unavailable'],
  // A format was being read.
  ['parse_error', 'word', 33, 'json, yaml, xml, toml, csv, pars*, decod*, format, root element'],
  // What is left speaks only of the topic. Better than no name: each of these is rare outside its category.
  ['quota_exceeded', 'topic', 34, 'budget, balance, trial, subscription, credit, plan, paid, payment, run|ran out'],
  ['overloaded', 'topic', 34, 'busy, capacity, load, queue, queued, slots'],
  ['timeout', 'topic', 33, 'too slow'],
  ['network', 'topic', 33, 'host, proxy, tunnel*, socket, websocket, eof, network, stream, peer'],
  ['auth', 'topic', 34, 'token, login, password, api key, auth*, signature'],
  ['permission', 'topic', 34, 'privilege*, permission*, policy, access, denied, restricted, allowed'],
  ['context_length', 'topic', 36, 'tokens, context'],
  ['empty_response', 'topic', 34, 'nothing, whitespace, blank, empty, no result|answer|reply|text|message'],
  [
    'validation',
    'topic',
    32,
    'must, should, required, missing, expected, argument, parameter, at least, at most, exceeds, not supported|support|match|configured|valid, unsupported, maximum size, larger',
  ],
  ['content_filter', 'topic', 35, 'guidelines, withheld, violat*, inappropriate'],
  [
    'tool_failure',
    'topic',
    30,
    'command, hook, conflict, plugin, script, crashed, lock, import, git, npm, pip, docker, helm, cargo',
  ],
  ['resource_exhausted', 'topic', 34, 'disk, full, ulimit, memory, gpu'],
  ['cancelled', 'topic', 34, 'stopped, discarded'],
  ['server_error', 'topic', 29, 'panic, server, backend'],
  // A tool failed; a reason inside says more.
  [
    'tool_failure',
    'wrapper',
    38,
    'tool .. failed|error|threw|exception, executing|calling tool, mcp error, #32603, handler raised, function call failed, subprocess, fatal, failed start',
  ],
];
