import type { ErrorCategory, NamedIssue } from '../contract/issue.js';
/**
 * One row: a category, a name, how surely it is meant (in hundredths), and the phrases that point at it, in the language of
 * `readPhrases`. They are looked for in wording, codes, types and class names alike, all read as words: `RateLimitError`,
 * `rate_limit_error` and "rate limit error" are the same. The surest row decides, among equals the one furthest in.
 * What is said above a row is why it is there; `docs/classify-rules.md` is made from this file.
 */
export type RuleRow = readonly [
  category: ErrorCategory,
  name: string,
  weight: number,
  phrases: string,
  more?: RuleTraits,
];

export interface RuleTraits {
  /** The same call fails again, although errors of this category usually pass. */
  readonly permanent?: true;
  /** Finer name that failures are counted under. */
  readonly issue?: NamedIssue;
  /** Nothing failed here, or what failed before was overcome. Any failure beside it decides instead. */
  readonly success?: 'reported' | 'overcome';
  readonly form?: Form;
}

/** Layout that only one kind of program prints, where words cannot tell. Read in time that grows with the text alone. */
export interface Form {
  /** Sticky; tried where a line begins with one of `starts`, or without these with a word that ends in a colon. */
  readonly line?: RegExp;
  readonly starts?: string;
  /** Tried on the whole text if it names a place in a file (`:12`, `(12`). */
  readonly place?: RegExp;
  /** Tried on every text. */
  readonly text?: RegExp;
}

export const RULES: readonly RuleRow[] = [
  // The text says that a failure was overcome.
  [
    'unknown',
    'overcome',
    98,
    'retry|attempt .. succeeded, succeeded .. retry|retries|attempt|attempts, recovered, reconnected, reestablished, connection restored, # requests remaining, will removed|retried, final status ok',
    { success: 'overcome' },
  ],
  // Reports that nothing failed.
  [
    'unknown',
    'no-failure',
    98,
    'succeeded, restored, check passed, test passed, # passed, no|without error|issues|problems|failures|vulnerabilities|failed, completed|finished|built|uploaded|deployed successfully, successfully completed|built|uploaded|deployed|created|updated, token usage, listening, initialised|initialized, started #, # ok, not problem, set timeout, warn deprecated, #0 errors|failed|failures|warnings, already up date, working tree clean, merged, apply complete, # passing',
    { success: 'reported' },
  ],
  // Text of the host itself about what it did instead, or lost.
  [
    'unknown',
    'fell-back',
    72,
    'falling|fell|fall back model|another|next|secondary|default, falling back, fallback model, model fallback, downgraded model',
    { issue: 'model_fallback' },
  ],
  [
    'unknown',
    'session-reset',
    72,
    'session reset|restarted|cleared|wiped|recreated, reset session, conversation reset, new session started .. context, started new session',
    { issue: 'session_reset' },
  ],
  [
    'unknown',
    'not-hydrated',
    92,
    'failed|fail|cannot|unable|not|error|could hydrat*|rehydrat*, hydration|rehydration failed|error|failure, hydration incomplete',
    { issue: 'hydration_fail' },
  ],
  // A budget of the host's own for one run or task.
  [
    'quota_exceeded',
    'cost-limit',
    99,
    'cost limit|budget|cap|ceiling .. exceeded|reached|hit, exceeded|exceeds|over|reached|hit .. cost limit|budget|cap, cost exceeded|exceeds, max|maximum cost, cost overrun, budget overrun, spent more than',
    { issue: 'cost_overrun' },
  ],
  // A tool the agent asked for is not among those it has.
  [
    'tool_failure',
    'missing-tool',
    99,
    'unknown tool|function|skill, no such tool|function|skill, no tool named|called|with|registered|found, tool .. not found|exist|registered|available|known|recognized|defined|enabled, tool .. doesnt exist, not valid tool, unregistered|undefined|nonexistent tool, no handler|implementation .. tool, tool .. no handler, hallucinated tool, not find tool, requested tool, tried call .. not exist, unavailable tool',
    { issue: 'missing_tool' },
  ],
  // A test came out negative: the runner did its work.
  [
    'tool_failure',
    'tests',
    99,
    'ran # tests .. failed, # # failed, lists|dicts|strings differ, failed failures|errors #, # failed # passed, # passed # failed|failing|failure|error, # passed # total, # failed # skipped|total|tests, test|tests|suites|specs|examples failed|failure, fail test|src|tests, failing tests|test, # failing, fail ok, tests run .. failures #, # examples # failure, assertion error expected|assert|err, assertion left|right, assertion failed, assertion failed error, expect received|locator|page, failure error expect, failed asserting, snapshot .. match|mismatched|obsolete|written, test suite failed, suite .. contain .. test, no tests|test .. found|ran|collected|matched|executed, no tests, collected # items, error collecting, error setup|teardown, fixture .. not found, strict mode violation, coverage threshold|below, coverage .. not meet, not meet .. threshold, failed assertions, mutation score, flaky, # snapshot failed, test result failed, compared using, assert .. false, locator .. visible|hidden failed',
    {
      form: {
        line: /\s{0,8}(?:FAILED \S+::|--- FAIL: |not ok \d|test \S+ \.{3} FAILED|[✕✗×●] [^\s[]|E {2,8}assert )|FAIL\s/y,
        starts: ' \t\nF-ntE✕✗×●',
      },
    },
  ],
  // A compiler, linker, bundler or type checker rejected the source.
  [
    'tool_failure',
    'compile',
    99,
    'not compile, too many|few arguments call|function, no such module, framework not found, glibc* not found, module .. require stack|type declarations, cannot find name|symbol, undefined reference|symbol|symbols, ld returned, symbol .. not found .. architecture, linker command|error|failed, unresolved external|reference|symbol, multiple definition, duplicate symbol, undeclared identifier|first|resource|variable|name, undeclared, implicit declaration|any, implicitly, incompatible types|pointer, mismatched types, type mismatch inferred|expected, not assignable, assignable, has no member, no member named, no matching function|member, no overload, borrow*, moved value, lifetime, lived, trait bound, not satisfied .. trait, unused variable|import, declared|imported not used, import cycle, circular dependency .. import, redeclared, redefinition, already declared|defined, conflicting types, cannot converted, unreported exception, public should declared, cannot use .. variable|value|type, not in scope|std|goroot, cannot find .. in scope, implement interface|inherited|missing method, missing return|semicolon, does not conform, compilation|compile|compiling|transpil* failed|error|errors|terminated|unsuccessful, failed compile, compiler error, cannot infer, static assertion, no rule .. target, recipe .. failed, previous error|errors, aborting due, expected|missing before|after .. token, expected expression|declaration|identifier|unqualified, stray .. program, property .. not exist .. type, name .. not exist .. context, type .. namespace .. not found, argument .. not assignable, module .. no exported, no exported member, cannot import name, cannot resolve|find symbol|import|entry|export, no matching export, cant resolve, reformatted, would reformat, not exported by, failed resolve import, module parse failed, transform failed, failed compile, build optimization failed, type error parameter, deprecated api, lint*, eslint, problems # errors, found # error*, # error* # warning*, prettier, formatting .. differ|issues, not formatted, code style, unreachable code, warnings treated errors, type error property, missing .. type .. required, noimplicitany, unsupported class file, source option, target release, invalid target, incompatible .. kotlin|java|jvm, cannot open source|include, no kernel image',
    {
      form: {
        place:
          /(?:^|\s)[^\s:(]{1,200}\.\w{1,6}[:(]\d{1,7}(?:[:,]\d{1,7})?\)?: ?(?:fatal |syntax |compile )?(?:error|ERROR|Error)\b|(?:^|\s)[^\s:]{1,200}\.(?:go|rs|zig|hs|nim|scala|dart):\d{1,7}:(?:\d{1,7}:)? (?!warning)|^\s{0,8}\d{1,7}:\d{1,7}\s{1,8}error\s/m,
        text: /\bld: cannot find|\berror(?:\[E\d{4}\]|:? (?:TS|CS|C|LNK|MSB|FS|BC)\d{4,5}\b)/,
      },
    },
  ],
  // A merge, patch or push was turned down.
  [
    'tool_failure',
    'git',
    99,
    'automatic merge, merge conflict, conflict content|modify|add, patch .. apply|failed|verification, unstaged, uncommitted, failed push, overwritten merge|checkout, non fast, fast forward, fetch first, unrelated histories, rebase .. progress, unmerged, index lock, cannot lock ref, not git repository, pre commit|push|receive hook, hook declined|exited, gpg failed, rebase stopped|failed, cherry pick, detached head, need .. merge .. first, bad object, refusing merge|checkout|fetch, no upstream, upstream branch .. not, diverged, branch named .. already exists, destination path .. already exists, nothing commit, husky, submodule',
  ],
  // Packages that do not fit together or cannot be built.
  [
    'tool_failure',
    'packages',
    99,
    'unsuccessful*, compatible versions, satisfies requirement, resolve dependenc*|import|module|dependency, resolve .. dependency tree, dependency conflict|resolution|tree, peer dep*, unmet dependenc*, requirements .. resolved, conflicting dependenc*|peer, resolution impossible, eresolve, failed build*|building wheel|installable, building wheel, externally managed, subprocess exited, lockfile .. outdated|sync|date|frozen, outdated lockfile, frozen lockfile, lock file .. sync|date|needs, npm ci .. only, unsupported engine, bad engine, node version .. incompatible|required, requires python|node|java|ruby|php, integrity check*, eintegrity, checksum mismatch, hashes .. match, not match .. hashes, hash sum mismatch, held broken, dpkg .. interrupted|lock|error, not get lock, another process .. lock|using, failed select .. version, version solving failed, incompatible with .. requires, conflicts with .. version, go sum entry, updates .. needed, no required module, no installation candidate, failed fetch .. package, broken packages',
  ],
  // A bug in the calling program: the names in it say nothing.
  [
    'unknown',
    'program',
    97,
    'type error cannot|undefined|null, is not function|iterable|callable|constructor, unsupported operand, unbound local error, name error, reference error, range error, attribute error, access local variable, cannot read propert*, cannot access .. initialization, cannot destructure, has no attribute, key error, index error, index out bounds|range, list index, key not found exception, json serializable, not json serializable, null pointer, nullpointer*, nil pointer, nil dereference',
  ],
  // It is the parameter that the model does not take, not the model; or a value that may not be empty.
  [
    'validation',
    'parameter',
    99,
    'unsupported parameter|value, parameter .. not supported, unknown parameter, unexpected keyword, duplicate key, cannot|not|non empty|blank, 不 能|可 为空, extra forbidden|fields|inputs, inputs not permitted, additional properties, unexpected propert*|field|argument, parse .. as date|number|integer|int|float|time|timestamp|boolean|uuid, parse field .. type, model required, no model specified|provided, must provide model, missing .. model parameter',
  ],
  // Says what a value has to be.
  [
    'validation',
    'must',
    93,
    'must positive|integer|number|string|one|equal|less|greater|match|array|object|json|non|boolean|contain|alternate|unique|provided|between|type|response|not|valid|least|most|before|after|different|same|exactly|multiple|start|end|include|specified|set|selected|null|lower|upper|date|future|past|used, json schema, # validation error*, should different|be|valid|contain|match|one, may not|only contain|blank|null, can only contain|used|one|once, cannot negative|zero|null|exceed|greater|less|both|more|longer|past|future|before|after|same, not negative',
  ],
  // Breaks a rule of the trade: the thing is not in a state in which this can be done.
  [
    'validation',
    'state',
    88,
    'cannot|cant|not|unable|longer cancel*|refund*|exchang*|reschedul*|modif*, cannot|cant|longer edited|changed|updated|deleted|removed|returned|redeemed|combined|shipped|transferred|reopened|voided|approved|rejected|submitted|booked|archived|amended|applied|used|processed|completed|assigned|added|scheduled|paid|merged|released|reversed|withdrawn|upgraded, already exist*|taken|booked|cancel*|canceled|shipped|paid|refunded|registered|assigned|closed|completed|processed|scheduled|delivered|redeemed|enrolled|voided|used|subscribed|reserved|approved|rejected|submitted|returned|claimed|archived|checked|sold|started|finished|ended|active|member|invited|deleted|occupied|settled|posted|captured|departed|sent|connected|linked|added|open, alreadyexists*, not add up, add up, not match|equal|eligible|refundable|returnable|applicable|balance|transferable|deliverable|serviceable|bookable|pending, mismatch, mismatched, out stock, insufficient stock|inventory|quantity|seats|units|margin, not enough stock|seats|inventory|items|units|points|quantity, sold out, booked someone|else|another, outside .. delivery|service|coverage area|zone, stock level, overlaps|overlap with|existing|another, conflicts|conflict with, double booked, date|time past|future, date|time|window|period|deadline|event|sale|auction|offer passed|ended|closed|lapsed|departed, no longer available|active|valid|open|eligible, market|store|account|ticket|period|case|issue|office closed, already closed, card .. declined|expired, declined by|card|issuer|bank, payment|transaction .. declined|failed|rejected, coupon|voucher|promo|discount|certificate .. expired|invalid|apply|used|valid|cannot, certificate cannot, certificate .. used|payment|purchase, deadline .. passed, exceeded maximum number|quantity, maximum quantity|weight|amount|number|stay|occupancy, minimum amount|order|quantity|stay|length|age|balance|purchase, below|above|under minimum|maximum, too early|late|short|young|old|heavy|high|low|few|far, unbalanced, undeliverable, unknown|invalid currency|country|airport|sku|postcode|zip, non pending, status .. not allow*, invalid state|transition|status, illegal state transition, state .. cannot, cannot transition, record|file|document|account|row|order locked, locked another|user, version conflict, edit conflict, concurrent update, stale object, optimistic lock*, conditional check*, conditional request failed, precondition*, failed precondition, outdated version, different currency|address|account, not deliver*, already use, order .. cancel*|canceled, subscription|booking|reservation|flight|meeting|event|appointment|invoice|payment|trip|shipment|auction .. cancel*|canceled, cancellation|return|refund policy|window|period|deadline, cancel failed, non refundable, nonrefundable, could not edited|changed|updated|deleted|removed|returned|cancel*|refunded|reopened|approved|booked|merged|voided, already own*, aborted|blocked|stopped business|validation|workflow rule',
  ],
  // A certificate or card of the trade, not of TLS.
  [
    'validation',
    'gift',
    98,
    'gift certificate|card|voucher .. expired|invalid|cannot|used|redeemed|empty, insufficient gift, gift .. not enough|sufficient, birth|medical|training|stock certificate',
  ],
  // A check found a model's answer wrong. The model is there and did answer.
  [
    'validation',
    'answer',
    99,
    'model output|result|response|answer|reply .. wrong|mismatch|incorrect, not|could find .. model output|response|answer|reply, not found .. model output|response|answer|reply, wrong|incorrect answer, matching function, wrong number|count functions|calls, wrong execution result, decode .. when should not',
    { issue: 'wrong_output' },
  ],
  // A model's answer could not be read.
  [
    'parse_error',
    'answer',
    99,
    'model|llm output|response|answer|reply .. not valid|parsable|parseable|wellformed, model|llm output|response|answer|reply .. not|could pars*|decod*, output .. not .. specified format, not output .. specified format, failed|fail|unable decod* ast|executable|json|response|output|answer|reply|message|body|chunk|event',
  ],
  // The model or deployment asked for is not there, also inside a 400.
  [
    'model_not_found',
    'model',
    98,
    'model|deployment .. not found|exist|available|valid|supported|configured|loaded|recognized, model .. doesnt|didnt exist, model .. decommission*|deprecated|retired|removed|unavailable|discontinued|sunset, deployment unavailable, model id*|name invalid, invalid|unknown|unsupported|missing|no|such model, no such model|deployment|engine, not resolve|find|valid|recognize .. model, no .. endpoints|deployments found, no available model|provider|channel, demand throughput, engine .. available|found, model .. end life, llm provider not, not found error .. model, try pulling, unknown|invalid deployment, model .. not installed|pulled|downloaded|served, was retired .. use|move|switch',
    { form: { text: /not_found_error.{0,60}message\W{1,8}model:/ } },
  ],
  // More text than the model takes in one go.
  [
    'context_length',
    'context',
    98,
    'context length|window|size|limit, maximum|max context|sequence|model|conversation length|len|seq, models context, prompt|input|conversation|messages|content .. too long|large, longer than .. context|model|maximum, token .. exceed*, exceed* .. context|token|length, total|number|input tokens, many tokens, tokens .. at most, model supports, fit .. context|window, reduce length|prompt|messages, maximum number .. tokens, tokens window, messages dropped, model window, input exceeds, large process, maximum length, start new chat, compact* failed, kv cache, # tokens .. maximum|max|limit|context, maximum|max prompt|input|output length, prompt length, contains # tokens, input length .. range, range .. input length',
  ],
  // A column, name or file takes no more: no model is involved.
  [
    'validation',
    'too-long',
    99,
    'value|name|title|description|subject|message|key|filename|username|field|line|path|url|caption too long, too long .. column|type|field|character|characters, data too long, string data .. truncated, length .. characters, at most # characters, maximum length .. characters|field, exceeds # characters, longer than # characters, # characters or fewer|less, too many characters|arguments|parameters|columns, dimensions|resolution|width|height exceed*|too|larger',
  ],
  // Refused for what it says or asks.
  [
    'content_filter',
    'filter',
    98,
    'content filter*|policy|management, responsible ai, safety, prohibited content, polic* violation, violat* polic*|guidelines|terms, usage polic*, content guidelines, protected material, flagged .. moderat*|content|safety|harmful|harassment|policy|violat*|unsafe|inappropriate, input|prompt|message|content|output|response|text flagged, moderat*, guardrail*, unsafe, sensitive|inappropriate|harmful content|words|information, jailbreak*, refusal, generation refused, request refused .. content|policy|safety, data inspection, blocked .. filter*|content|prompt|output|response, prompt|output|response|content|candidate .. blocked|rejected, recitation, spii, finish reason language|blocklist, declined .. answer, cant|cannot|unable|not assist|help with, pii detected, exists risk, content classif*, sexual*, copyright*, prompt|input|request|message|content .. against .. terms|policy|policies|guidelines',
  ],
  // A code or sentence for this case alone, with any limit it names.
  ['quota_exceeded', 'code', 100, 'insufficient quota|balance|credit*|funds, insufficient .. balance|funds|credit*'],
  // Money, plan or credit that ran out: waiting a minute does not help.
  [
    'quota_exceeded',
    'money',
    97,
    'billing .. active|limit|details|period|enabled, hard limit, payment required, budget .. exceeded|reached|exhausted|raised|used|spent, out budget, no budget, free .. limit, exceeded .. monthly budget, top up, trial .. ended|expired|over, not available .. plan, current plan, exceeded budget, over|remaining|max budget, credit* .. low|exhausted|depleted|used|remaining, run out .. credits, spend|spending|monthly|plan limit, limit .. plan, unpaid invoice|bill|subscription|account|balance|usage, subscription|account .. unpaid, account .. past due, trial key, usage limit, purchase|no|out|more credits, month limit, requests remaining .. month, plan used|allows, plan not include*|allow|cover|permit|support, check plan, free plan|tier .. used|allows, tokens month, subscription .. expired|ended|inactive, afford, arrear*, recharge, monthly|daily|weekly .. quota|cap|limit, upgrade .. plan|account|continue, allowance .. used|exceeded|exhausted, account suspended, requires billing, !402, service quota*, quota exceeded .. project|region|resource|metric, vcpu limit, limit .. per account, seats .. plan|license|subscription, licen* .. limit|seats|exceeded, storage quota .. plan, over quota, overquota, mailbox full|quota, exceeded .. quota .. month, balance not enough, balance too low, not enough balance|credits|funds|money, spend|spending|monthly cap',
  ],
  // A limit with a time window, regardless of other advice in the message.
  [
    'rate_limit',
    'window',
    99,
    'request|tokens|calls|queries|images|messages|lookups|quota per min|sec, per minute|second|hour, requests per day, lookups|requests|queries|calls|messages second|min|minute|hour, tokens minute, many tokens .. wait|minute, limite .. minuto, rpm|tpm|rpd|tpd|qps|rps, rate limit exceeded|reached, secondary rate, requests remaining .. resets, pull rate, # requests .. last|past|within # s|sec|seconds|minute|minutes, budget|quota|limit|allowance|points|cost|tokens .. reset|resets .. # s|sec|seconds|minute|minutes',
  ],
  // A server that has no room now.
  [
    'overloaded',
    'load',
    96,
    'overload*, !529, currently loading, model .. loading, warming, cold start*, no free slots, workers in use, server|service|model|system|engine|workers|upstream|replicas|too .. busy, over|no capacity, replicas|workers|server|cluster|nodes|instances|full capacity, capacity exceeded|available|reached|constraint*, insufficient .. capacity, instance capacity, high|heavy|much demand|traffic|load, pending requests, queue full|overflow, requests queued, saturated, shedding, no .. instances|upstream|backends|server|workers available, no healthy, database locked, table locked, loading dataset, starting up, rejected execution, not enough replicas, leader not available, backpressure, back pressure, try again later .. busy, clusterdown, master .. discovered, not enough resources .. request, zone .. not enough resources, resource pool exhausted, scaled zero, unable .. lock row, exclusive access .. record',
  ],
  // Waiting ended.
  [
    'timeout',
    'waited',
    95,
    'etimedout, esockettimedout, deadline exceeded|expired|reached, deadlineexceeded, deadline .. # s|sec|seconds|ms|minutes, deadline .. answer|response|reply, headers|body|connect|read|request|gateway|lock|socket|statement|idle|api|client|navigation|script|command|operation|connection|query|write|response|execution|step|job|task|test|tool|hook|acquire|acquisition|checkout timeout, timeout error|exception|expired|reached|after|waiting|occurred|awaiting|exceeded, timeout .. exceeded, time out, !504, !408, !524, exit|exited .. #124, timed out, timedout, timedouterror, took longer|too, time limit, timelimit*, exceeded|maximum duration|time|runtime, exceeded .. duration|ms|seconds|minutes, time exceeded, still running, no response within|after, not .. in time|answer time, due timeout, answer*|respon*|repl*|complete*|finish*|ready .. within # ms|s|sec|seconds|minutes, not .. within # s, exceeded @ limit, not .. within .. # seconds|minutes|s|sec, waiting .. failed|exceeded, stalled, not respond*, no activity, lease expired, deadline .. elapsed, elapsed',
  ],
  // TLS that no second try mends.
  [
    'network',
    'certificate',
    97,
    'certificate expired|verify|unknown|revoked|untrusted|problem|signed|authority|chain|not, certificate .. trusted|verified|verification|yet valid, bad certificate, unable .. certificate, verify .. certificate, invalid certificate, cert expired|altname|authority|common|date|untrusted|revoked|invalid|not, err cert*, err ssl*, self signed, unknown authority|ca, local issuer, wrong version number, hostname .. match .. certificate, certificate .. hostname|altnames|names, altnames, x509, ssl certificate, unsafe legacy, unsupported protocol version, tls alert, handshake failure alert, no alternative certificate, host key verification, host key .. changed, host identification, eaddrinuse, eaddrnotavail, unsupported protocol',
    { permanent: true },
  ],
  // The connection did not come about or broke.
  [
    'network',
    'connection',
    94,
    'econn*, enotfound, eai again, ehostunreach, enetunreach, enetdown, epipe, enotconn, eproto, err socket|tunnel|internet|name|connection|network|http2, socket hang|closed|disconnected|error, getaddrinfo, connection .. refused|reset|closed|terminated|lost|error|failed|broken|dropped|failure|interrupted|unexpectedly|aborted|timed, refused .. connection, not|cannot|unable|failed|error|couldnt|cant .. connect|reach|connecting|communicating, broken pipe, no such host, name service|resolution, nodename, no route host, unreachable, resolve|unknown|lookup host|hostname|address, host|hostname|domain|name .. not resolved, unable|failed resolve name, curl .. resolve, lost connection, gone away, dns lookup|resolution|error|failed|failure|query|resolve*|name|timeout|problem|server, ssl|tls error|routines, handshake, unexpected eof, early eof, remote|peer|server|side closed|disconnected, stream closed unexpectedly|before, stream disconnected, remote .. hung, hung up, closed by remote|peer|server, connection attempts, premature*, incomplete chunked|read, closed abnormally, recv failure, proxyconnect, network error|request|failure|changed|down, disconnect reset, failed fetch, rpc failed, !521, !522, !523, !525, !526, !530, transport error|failure|closed, broker transport, no brokers, brokers available, is daemon running, chrome not reachable, server selection, no reachable, unable .. access .. resolve, link down, dial tcp, dialing, failure resolving, ns error net|connection|unknown|proxy|offline|dns, stream|remote reset, payload .. not complete*, not enough data .. transfer',
  ],
  // Memory or disk of the machine ran out: the same work runs out again.
  [
    'resource_exhausted',
    'machine',
    97,
    'out memory, outofmemory*, oom, oomkilled, memory error|limit|allocation, memoryerror, enomem, enospc, nospc, no|insufficient|low|enough|free space|memory|disk|storage|gpu|cpu, not enough .. space|memory|disk|storage|gpu|cpu, insufficient .. space|memory|storage, space left, disk .. full, memory full, overhead limit, heap space|limit|exhausted|memory|size, javascript heap, heap out, cannot|failed|unable|not allocate, alloc* failed|failure, bad alloc, system|gpu|device memory, low resource|disk|memory, exit|exited|code|status .. #137, #137 oom|killed|sigkill, sigkill, signal #9, killed process, process killed, shared memory, used memory, maxmemory, call stack size, stack overflow, stack level .. deep, requires more .. memory|vram, disk|storage|inode quota, disk quota, nodes .. insufficient, insufficient cpu|gpu, resource limit*, paging file, no more memory, file system full, filesystem full, memory pressure, evicted, circuit breaking, vram, argument list too, file table overflow, inodes, core limit, ephemeral storage, resources exceeded .. query, allotted memory',
    { permanent: true },
  ],
  // Handles, processes or connections ran out: they come free again.
  [
    'resource_exhausted',
    'handles',
    97,
    'emfile, enfile, too many processes, too many open|connections|clients|files|sessions, resource temporarily unavailable, start new thread, unable create .. thread, cannot fork|create thread, fork retry|failed, file watchers, enospc .. watchers, connection slots, pool exhausted|timeout|size|full|empty, queuepool, queue pool, no .. connections available|pool, no free connections, max connections|user, port exhaustion, buffer exhausted, bufferexhausted, no file descriptors, threads .. exhausted, thread pool .. exhausted',
  ],
  // The other side answered, so the connection came about: what it refuses stays refused.
  ['permission', 'turned-away', 96, 'not allowed|permitted|authorized|authorised connect'],
  ['not_found', 'database', 96, 'fatal database .. not exist'],
  // A key, token or password that is missing, wrong or out of date.
  [
    'auth',
    'credentials',
    95,
    'invalid|incorrect|missing|wrong|bad|revoked|expired|malformed|unknown|stale key|token|credential*|password|username|passphrase|cookie, invalid|incorrect|missing|wrong|bad|revoked|expired|malformed api|access|auth*|bearer|refresh|session|security|csrf|oauth|secret|client|personal|bot|jwt|id|service|private|account .. key|token|secret|credential*|password, no key|credentials, no api|access|auth* key|token, no token provided|found|supplied|given, api|access|auth*|bearer|refresh|session|security|csrf|oauth|secret|client|personal|bot|jwt|id|github|account key|token|secret .. invalid|incorrect|missing|wrong|revoked|expired|malformed|required|valid|set|provided|found|configured|disabled, token|credential*|password|jwt|username|passphrase|cookie invalid|incorrect|missing|wrong|revoked|expired|malformed|required|included|rejected|refused|denied|unknown|mismatch, token .. expired|revoked, key|token not valid|set|provided|configured, key .. incorrect|revoked|expired|disabled, no|not valid token|credential*|api, authentication|auth error|failed|failure|required|invalid, authentication|authorization|auth|bearer header, unauthor*, unauthenticated, not authenticated|authed|logged, failed auth*,  invalid|expired auth|grant, grant .. expired|revoked|invalid, invalid client|bearer|signature|login|identity, api key must|client|required|missing, unrecognized client, signature .. not match, wrongpass, no auth*, publickey, credential*, not read username|password, username .. not accepted, using password, login required|failed, log|logged|sign|run login|again, log continue, must|requires|need log*|auth*|sign, session expired, subscription key, token signature, signature verification failed, gh token, skewed, clock skew, password required, mfa|two|2fa .. required, one time code, verification code, reauthenticate, reauthorize, sasl, ntlm, kerberos, not connected .. key, ip .. not match, no @ entry host, no pg hba, fatal role .. not exist, token used too, token not yet, token .. used before',
  ],
  // HTTP 401 and its kin.
  ['auth', 'status', 80, '!401, !407, !498'],
  // Nothing was in the answer.
  [
    'empty_response',
    'nothing',
    96,
    'empty response|reply|completion|message|answer|output|content|result|body|string|generation|text, response|reply|completion|message|answer|output|content|choices|candidates .. empty, no content|output generated|returned|produced|available, produced|generated no output|response|answer|text|content, replied|answered|responded|returned|said nothing, with nothing,  no content response, no choices|candidates|generations|completion|completions, no content parts, not|didnt return|produce|provide|generate|give|contain .. response|content|text|answer|output|anything|message|candidates|choices, without .. text|answer|reply|content, returned no|nothing|none|empty|zero, blank response|answer|output|completion|reply|content, answer blank, zero length, without producing, neither content, null content, content|text|choices null|none, received none|no, least one choice, # characters no, replied nothing, whitespace only, no visible text|output, only thinking|reasoning, without .. final answer, no final answer, no content .. no tool, 0 output tokens, #0 output|completion tokens|characters|bytes|choices, no assistant message, choices was, no text .. response|candidate|returned, no message .. returned, zero content|output|completion|candidates|choices, came back blank|empty, got|received #0 characters|tokens|bytes|choices',
  ],
  // Too much in too short a time.
  [
    'rate_limit',
    'wording',
    92,
    '#0 requests|calls remaining, too many requests|calls|attempts|messages|concurrent|logins|queries|emails|sms, toomanyrequests, rate limit*, ratelimit*, rate exceeded, throttl*, slow down, exceed* .. requests, concurren* .. limit|exceeded|reached, request* limit, limit exceeded exception, provisioned throughput, flood control|wait|protection|detected|limit, request rate, too quickly|frequent*|fast, quota .. per minute|second|hour, too many login|sign|password, calls .. limit, api limit reached|exceeded, wait .. before .. another|again|next|retrying, back off',
  ],
  // A tool that is missing, cannot start or says why it did nothing.
  [
    'tool_failure',
    'start',
    93,
    'no such process|subcommand, timed out waiting condition, progress deadline, command|script|executable|binary|interpreter not found, command .. not found|recognized, #127, patch not apply, unknown|no|such|not|unrecognized|invalid|illegal command|option|flag|switch|subcommand, failed match, # problems|errors, missing script, spawn .. enoent, executable .. not|doesnt, executable|file not found path, not recognized .. command|cmdlet|name|internal, method not found, #32601, elifecycle, string .. not found .. file, # matches string, old string .. not|multiple, not unique .. file, string replace .. not|match*, no changes made .. file, replace found # times, make .. unique, not been read|modified, modified since, read .. before, port|name|address already use|allocated|bound, port .. allocated, not interactable, intercepted, detached, browser has closed, crash loop, back off restarting, image pull back, err image pull, oci runtime, segmentation fault, segfault, core dumped, bus error, illegal instruction, exec format, cannot execute, panicked, raised exception, not running|installed, execution context, target|page|session closed|crashed|created, stale element, session not created, only supports chrome, not terminal|tty, eisdir, enotdir, directory not empty, device busy, text file busy, read only variable, unbound variable, parameter not set, bad substitution, bad interpreter, ambiguous redirect, missing operand, unmatched, extra operand, try .. help .. information, cannot overwrite, failed execute|spawn|launch|start|initialize|invoke, could not start, exited before, server .. crashed .. start, state lock, another operation .. progress, no deployed releases, cannot re use, reuse name, select device driver, probe failed, module failure, not recoverable, plugin .. failed|error, no provider, unsupported pixel, codec not, conversion failed, stream specifier, ffmpeg, cannot open display',
  ],
  // Text that cannot be read as the expected format.
  [
    'parse_error',
    'format',
    91,
    'unexpected token|end|character, not valid json, invalid json|character|escape, json parse|decode|error|expected|required|block, expecting value|property|comma|delimiter, expected property, extra data, unterminated, pars* .. failed|error|exception|errors, not|failed|unable|cannot|error|cant|couldnt .. pars*|decod*|deserial*|unmarshal*, unmarshal*, malformed, codec, start byte, decod* error, not extract, not json, html instead, instead json, where json, json position, expected json, missing|trailing comma, control character, not find .. llm output, model output .. format, cannot index string|number|array, not in gzip, invalid magic|header|zip|archive, bad magic, corrupt*, unexpected format, unrecognized|unknown format|encoding, not zip, not valid utf, truncated, unparsable, unparseable, cannot deserialize, invalid csv, invalid date format, cannot read json, unreadable',
  ],
  // Says that decoding failed. The text that could not be decoded may name anything.
  ['parse_error', 'decode', 93, 'failed|fail|unable|cannot|could decod*, decod* failed'],
  // JSON that a model or service answered with.
  [
    'parse_error',
    'json',
    94,
    'not valid json, invalid json, unexpected .. json, json parse|decode|error|expected|required|block|input|position, expecting value|property|comma|delimiter, expected property, extra data, not json, html instead, instead json, where json, expected json, trailing comma, json .. malformed, unterminated string .. starting, malformed function|tool|arguments',
  ],
  // Source code, settings or a query with a mistake in it: it stays there.
  [
    'parse_error',
    'source',
    92,
    'invalid yaml|xml|toml|syntax|regex|regular|pattern|expression|hcl|ini|dockerfile|escape sequence, yaml|toml|xml|sql|hcl|ini parse|error|exception|syntax, yaml|toml|xml parse|error|exception|required|block, converting yaml|toml|xml, yamlexception, yaml error, syntax error, syntaxerror, syntax error unexpected|near|at, near .. syntax error, scanner error|exception, parser error, mismatched tag, mapping values|mappings, xml|toml|yaml line|document, indentation error, unexpected indent, inconsistent use tabs, tab error, unexpected eof .. looking, regex parse, regular expression .. invalid|error|too, unclosed group|bracket|quote|parenthes*|tag|delimiter, unbalanced parenthes*, unmatched [], missing closing|bracket|parenthes*|brace, unexpected symbol|identifier|keyword|operator|near, near unexpected, parse error near|line|at, duplicate mapping|key mapping, could not find expected, found character .. cannot start, template syntax, jinja, liquid, bad control|escape, undefined label, unexpected closing, expected tag',
    { permanent: true },
  ],
  // Text that breaks the rules of its encoding or grammar, regardless of the names of its tokens.
  ['parse_error', 'shell', 97, 'near unexpected token, syntax error near', { permanent: true }],
  ['parse_error', 'encoding', 96, 'well formed, invalid utf*, parse|syntax error .. token'],
  // A schema or parameter the other side does not accept.
  [
    'validation',
    'schema',
    90,
    'validation error*|failed|failure|exception, zod*, pydantic, type validation, missing|required parameter|field|property|argument|message|value|column|header|attribute|variable|key, field|parameter|property|argument|message|value|column|attribute .. required|missing, should less|greater|match|one|#|smaller, expected .. number|string|integer|boolean|array|object|duration|one, unexpected role|argument|property|field, unprocessable, unrecognized|unknown key*|argument*|field|property|operator|attribute|enum, not null constraint, unique|key|check|foreign constraint, duplicate key|id|name|entry|value|record, sql syntax, violates .. constraint, constraint violation|failed, not valid integer|number|string|enum|value|list|dict|against|email|url|uuid|phone|date, unsupported media|type|format|argument|value, syntax type, allowed values, value .. not in, too small|big, file .. too small|big|large, exceeds # mb, schema, found without, #32602, required but not, column .. type, not support one|all, not match pattern|regex|schema, wrongtype, wrong number|type arguments|kind, type mismatch, invalid argument|parameter|value|type|format|email|date|id|range|address|amount|number|url|choice|enum|uuid|phone|name|option|selection|quantity|cursor|page|configuration|config|length|field|timezone|timestamp|time, invalidargument*, invalidparameter*, argument not expected, not expected here, unsupported argument, undeclared .. module, invalid reference, error validating, no matches .. kind, cannot parse .. date, not number|string|list|dict, out range, outside range, only .. allowed|accepted|supported, required .. not|missing, missing required, no .. provided|given|supplied, needs at least, at least one, expects, expected one, exceeds .. maximum|minimum, too many items|images, unsupported image|file|mime, not numeric, must agree, foreign key, incorrect .. value, bad value, data type, record too large, no tool call|output found, tool call .. result, without .. preceding, roles must, thought signature',
  ],
  // Known, but not allowed: rights, region, policy.
  [
    'permission',
    'rights',
    91,
    'eacces, eperm, erofs, permission* .. denied, denied .. permission, access|command|request|relay denied, denied access|policy|by, accessdenied*, not permitted|authorized|authorised, disallowed .. policy, not access, no access, forbidden, missing|insufficient|lacks|lack|sufficient|required scope|permission*|privilege*|rights|access|role|authority, insufficient .. permission*|scope|privilege*, read only file|database|replica, readonly, country|region|location .. not supported, unsupported country|region, not accessible, must owner|verified|admin|administrator|root|superuser, requires admin|administrator|root|elevated|permission*|role|superuser, only .. admin|owner|administrators, no permission, not have .. permission*|privilege*|rights, not .. allowlist*|whitelist*, not .. allow list, network policy, access disabled|restricted, service|api disabled, not been used .. project, allow list, outside .. allowed, outside .. workspace|directory|root, row level security, running scripts disabled, saml, #1020, operation not permitted, not owner, protected branch, organization .. disabled|restricted|policy, admin approval, blocked .. policy|administrator|organization|firewall, cors, cross origin, same origin, not entitled, not enabled .. account|organization, kyc, age restricted, embargo*, cannot list|get|create|delete|patch|watch resource, dubious ownership, permission* .. not enabled|granted, approval needed|required',
  ],
  // A thing that is not there.
  [
    'not_found',
    'thing',
    89,
    'enoent, no such, no module named, module not found, cannot find module, pathspec, not exist, doesnt exist, dont exist, didnt exist, unknown message|member|webhook|database|table|column|channel|user|topic|host|service|resource|record|account|customer|order|product|item|object|revision|guild|branch, manifest unknown, not cache|index|registry|catalog|list, no reservation|booking|appointment|shipment, no .. found|matches|matching, nosuch*, not in registry, is not in .. registry, unknown revision, bad revision, no record|records|rows|row|results|entry|match|document|file|item|user|order|customer|account, no matching version|distribution|package|record|row, no package|formula, cannot|unable|not|failed|could locate, cannot get|post|put|delete|patch @, no longer exists, missing file, file .. missing, unable find, never existed, no available formula, user unknown, mailbox unavailable, recipient .. unknown, not registered, no route matches, no deployment, unresolvable, resource not found, record|records .. not found',
  ],
  // A person or program stopped it.
  [
    'cancelled',
    'stopped',
    85,
    'abort error|err, err canceled, cancelled error, canceled error, request|operation|task|job|run|workflow|build|call|query|statement|stream|tool|context|execution|process|generation|turn|upload|download|install .. cancelled|canceled|aborted|cancelled|interrupted, cancelled|canceled|aborted|interrupted|stopped|rejected user|client|caller|host|operator,  user .. cancelled|canceled|aborted|cancel|interrupted, canceling|cancelling .. user, keyboard interrupt, keyboardinterrupt, interrupted, sigint, sigterm, ctrl c, !499, #130, #143, user interruption|rejected|declined|doesnt|denied, client closed request, client disconnected|closed, closed by client, use rejected, superseded, stopped newer|request, users request, cancelled prior, shutdown requested, spot interruption, preempted, received shutdown, ^c received, shutting down, asyncio cancel*, cancelled, canceled, cancel requested, cancellation requested, user pressed|hit esc*|stop|ctrl',
  ],
  ['cancelled', 'word', 60, 'aborted, cancellation'],
  ['cancelled', 'topic', 34, 'cancel, stopped'],
  // An end that no caller asked for.
  ['tool_failure', 'abort', 90, 'aborted core, aborting, abort trap, aborted signal'],
  [
    'server_error',
    'abort',
    89,
    'transaction .. aborted|rolled|abort, aborted .. server, aborted due concurren*|conflict|contention, aborted contention, not|cannot serialize access, serialization failure, write conflict, too much contention, not|cannot achieve consistency',
  ],
  // HTTP 429, and Cloudflare's number for it.
  ['rate_limit', 'status', 80, '!429, #1015'],
  // Not there, without saying what kind of thing.
  [
    'not_found',
    'wording',
    78,
    'not found, notfound, not|cannot|unable|cant|couldnt find|locate, cannot|cant|not found|located|recognised, no more, gone',
  ],
  // HTTP 403 and 404.
  ['permission', 'status', 70, '!403, !451'],
  ['not_found', 'status', 70, '!404, !410'],
  // The other side broke while answering.
  [
    'server_error',
    'wording',
    66,
    'internal failure|server, internal .. error, server error, server encountered error|internal, unexpected|unknown error .. processing|model|web|server, encountered unexpected, bad gateway, went wrong, api error, worker|backend|server crashed, backend error, side exception, model error, produced invalid, returned .. unexpected|unknown error, type|code internal, not implemented, unimplemented, upstream error|request, service unavailable, deadlock*, !503, disk image, temporary failure|error, data loss, failed process request, internalerror, error processing, error while processing',
  ],
  // Mostly by the kernel, when memory ran out.
  ['resource_exhausted', 'killed', 60, 'killed', { permanent: true }],
  // A build or an installation failed: a reason inside says more.
  [
    'tool_failure',
    'build',
    67,
    'build|compilation failed|failure|error|errors, failed build|install|compile|bundle|deploy, installation failed, deployment failed, execution failed .. task',
  ],
  // HTTP 422 and 405: the request, regardless of its text.
  ['validation', 'status', 65, '!422, !405, !409, !415, method not allowed'],
  // Actions that are not allowed for anyone.
  [
    'permission',
    'word',
    60,
    'not allowed, protected, cannot access|view, account .. disabled|blocked|deactivated|banned|frozen',
  ],
  // Quota, without saying of what.
  ['quota_exceeded', 'quota', 62, 'quota, billing'],
  // HTTP 500 and its kin.
  ['server_error', 'status', 58, '!500, !501, !502, !507, !520'],
  // Something of the trade cannot be had.
  [
    'validation',
    'trade',
    49,
    'exceeds maximum|limit|available|allowed|balance|weight|size|amount|max, not available until|before|after, unavailable .. date|dates|slot, no components|seats|slots|tables|flights|appointments|availability, sold, declined, rejected, not accepted, not verified|validated, could not verified|validated, unsupported, not supported|support',
  ],
  // gRPC's name for 429.
  ['rate_limit', 'grpc', 55, 'resource .. exhausted'],
  // A command says by its exit code that it failed.
  [
    'tool_failure',
    'exit',
    54,
    'exit|exited|exitcode|code|status .. #1, exit|exited|exitcode .. #, exit|exited status|unexpectedly, non zero, nonzero, command .. failed, called process error, error #1, error #2, npm err*, panic, returned #1, terminated .. signal, failed exit',
  ],
  // HTTP 413 to a model is mostly text.
  ['context_length', 'status', 52, '!413, payload|request|entity too large'],
  // Out of service for a while.
  [
    'overloaded',
    'unavailable',
    51,
    'temporarily unavailable|unable, not ready, under|undergoing|scheduled|planned|nightly|system|server|service maintenance, maintenance mode|window|until',
  ],
  // Only that no answer came; a cause inside says more.
  ['network', 'fetch', 50, 'fetch failed, connection error, urlopen'],
  ['network', 'word', 44, 'connection, connect, terminated, disconnected, offline'],
  // Words that settings carry too.
  ['timeout', 'word', 47, 'timeout, #32001'],
  // A bug in the calling program that may carry a reason, and lines of a log that are no error.
  [
    'unknown',
    'exception',
    42,
    'illegal argument|state, invalid cast|operation exception, info, division zero, zero division*, too many values unpack, not subscriptable, positional argument|arguments, recursion error, maximum recursion, undefined method, undefined local, undefined variable, class cast*, concurrent modification, object reference not set, not callable, unwrap, value error, shape',
  ],
  // HTTP 400 says only that something in the request was wrong.
  ['validation', 'bad-request', 45, '!400'],
  ['validation', 'request', 45, 'bad request'],
  ['validation', 'word', 40, 'invalid, incorrect, wrong'],
  // Sentences in which a service says why it turned something down.
  [
    'validation',
    'refusal',
    28,
    'already, lower|higher|less|greater|more|earlier|later|shorter|longer|older|younger|fewer than, may not, not transferred|offered|qualified|deliverable|serviced|possible|applicable|covered|enough|empty, no .. left, no longer, empty, closed, occupied, taken, refused, stolen, needed, exceeded, non working, too many|few|much, before, below, above, per customer|booking|order|person|household',
  ],
  // The name of a program in front of what it says.
  [
    'tool_failure',
    'program',
    33,
    'usage .. options',
    {
      form: {
        line: /(?:\S{0,60}\/)?(?:(?:ba|z|fi|da|k)?sh|sudo|su|cp|mv|rm|ls|ln|cat|tar|zip|unzip|gzip|find|which|grep|rg|sed|g?awk|head|tail|sort|cut|tr|wc|xargs|tee|mkdir|rmdir|touch|chmod|chown|diff|patch|make|g?make\[\d\]|ninja|cmake|meson|bazel|gradle|mvn|gcc|g\+\+|clang|cc|ld|go|cargo|rustc|node|deno|bun|npm|pnpm|yarn|npx|pip3?|uv|poetry|conda|brew|apt(?:-get)?|dnf|yum|apk|snap|git|gh|hg|svn|docker|podman|kubectl|helm|terraform|ansible|aws|gcloud|az|psql|mysql|sqlite3|mongosh|redis-cli|jq|yq|ffmpeg|ffprobe|convert|magick|pandoc|latexmk|pdflatex|ssh|scp|rsync|curl|wget|mypy|ruff|black|eslint|prettier|tsc|jest|vitest|pytest|mocha|rspec|systemctl|service|crontab|kill|mount|dd|openssl|gpg): /y,
      },
    },
  ],
  ['overloaded', 'grpc', 35, 'unavailable'],
  // A format was being read.
  ['parse_error', 'word', 33, 'json, yaml, xml, toml, csv, pars*, decod*, root element'],
  // The remaining words name only the topic. Each of these is rare outside its category, yet not enough to act on.
  ['quota_exceeded', 'topic', 34, 'budget, run|ran out'],
  ['overloaded', 'topic', 34, 'busy, capacity, queue, queued'],
  ['timeout', 'topic', 33, 'too slow'],
  ['network', 'topic', 33, 'proxy, tunnel*, socket, websocket, eof, network, peer'],
  ['auth', 'topic', 34, 'login, password, api key, authentication, authorization, access token'],
  ['permission', 'topic', 34, 'privilege*, permission*, denied, restricted'],
  ['context_length', 'topic', 36, 'input|prompt|output tokens'],
  ['empty_response', 'topic', 34, 'whitespace, no result|answer|reply|text|message'],
  [
    'validation',
    'topic',
    32,
    'must, should, required, missing, expected, argument, parameter, at least, at most, maximum size, larger, cannot, only',
  ],
  ['content_filter', 'topic', 35, 'guidelines, withheld, violat*, inappropriate'],
  [
    'tool_failure',
    'topic',
    30,
    'command, hook, conflict, plugin, script, crashed, lock, import, git, npm, pip, docker, helm, cargo',
  ],
  ['resource_exhausted', 'topic', 34, 'disk full, ulimit, gpu memory'],
  ['server_error', 'topic', 29, 'backend'],
  // A tool failed; a reason inside says more.
  [
    'tool_failure',
    'wrapper',
    46,
    'tool .. failed|error|threw|exception, executing|calling tool, mcp error, #32603, handler raised, function call failed, job|pipeline|workflow|step|migration failed, subprocess, fatal, failed start',
  ],
];
