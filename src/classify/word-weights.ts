import type { WordWeights } from './word-evidence.js';

/**
 * Weights learned from `test/classify/fixtures` by `npm run campaign -- classify --learn`. Change those, not this. In
 * `words`, `^` is the start of a sentence, `#` a number, `!429` an HTTP status, `@` a name, `:place` a layout.
 */
export const WORD_WEIGHTS: WordWeights = {
  categories: [
    ['rate_limit', -1.84],
    ['quota_exceeded', -1.35],
    ['overloaded', -1.31],
    ['timeout', -1.29],
    ['network', -1.32],
    ['auth', -1.23],
    ['permission', -1.19],
    ['model_not_found', -2.26],
    ['not_found', -1.45],
    ['context_length', -1.83],
    ['empty_response', -1.85],
    ['parse_error', -2.1],
    ['validation', -0.23],
    ['content_filter', -1.53],
    ['tool_failure', -0.74],
    ['resource_exhausted', -1.67],
    ['cancelled', -1.32],
    ['server_error', -1.16],
    ['unknown', -0.95],
  ],
  words:
    '!400|@ !401|unauthorized !402 !403|@|forbidden !404|@|not !405 !413 !429|@|too !500 !502|bad !503|service !504 ' +
    '!520 !524 #|#|@|after|attempts|bytes|cannot|column|connection|days|error|errors|failed|failure|files|full|hour|' +
    'internal|invalid|mb|minutes|missing|ms|no|not|occupied|over|passed|reached|requested|resource|s|seconds|tests|' +
    'times|tokens|unknown :class :code :constant :error :head :lower :place :quote :sentence :short :stop @|#|@|' +
    'account|api|blocked|cannot|code|could|does|error|exceeded|expected|failed|false|field|from|id|insufficient|' +
    'invalid|line|message|missing|model|must|new|no|none|not|or|overloaded|permission|port|prompt|rate|request|' +
    'require|required|seconds|server|should|status|string|syntax|target|timeout|tokens|unknown ^|!400|!403|!404|' +
    '!413|!429|!500|!502|!503|#|@|abort|access|account|add|agent|ai|all|api|applicant|assertion|assistant|asyncio|' +
    'authentication|awk|bad|bank|bash|batch|bitte|blocked|booking|build|cache|call|campaign|can|cannot|card|carrier|' +
    'cart|channel|check|claim|cloudflare|code|command|completion|connect|connected|connection|container|content|' +
    'context|conversation|could|credits|csv|curl|daily|database|deadline|delivery|deployment|did|disk|do|docker|' +
    'domain|done|driver|duplicate|e|empty|enoent|err|erreur|error|exceeded|exception|execution|exit|expected|fail|' +
    'failed|fatal|ffmpeg|field|file|finish|found|function|gemini|get|git|go|google|http|httpx|image|info|input|' +
    'insufficient|internal|invalid|invoice|java|job|json|jwt|key|killed|label|limit|line|link|litellm|llm|log|' +
    'machine|make|max|maximum|may|mcp|memory|message|messages|missing|model|modele|modell|models|mongo|monthly|name|' +
    'nao|nie|no|node|none|not|nothing|npm|null|object|only|oops|openai|operation|organization|output|page|panic|' +
    'parcel|path|patient|payment|permission|pickup|plan|playwright|plugin|policy|pre|prescription|process|prompt|' +
    'provider|query|queue|rate|read|received|record|redis|remote|request|requested|requests|reservation|resource|' +
    'response|respuesta|retry|room|rpc|run|saved|seat|see|server|service|servidor|session|something|sorry|start|' +
    'status|stop|storage|stream|subscription|sudo|symbol|syntax|system|table|tar|task|tempo|terminated|terraform|' +
    'test|there|ticket|token|too|tool|transaction|trial|try|two|type|unable|undefined|unexpected|unhandled|unknown|' +
    'unsupported|upgrade|upstream|use|used|user|value|wait|waiting|write|xml|yaml|zero|zsh|запрос|не|превышена ' +
    'abgebrochen abgelehnt abort|error aborted about above acceso access|@|denied|model accommodation account|#|' +
    'balance acme acquirer action active actual add added address adds|tax administrator after|#|@|end again|later ' +
    'against age agent agents ai|api air all allocate|# allowed allows already always amount and|@|cannot|not|try ' +
    'anforderung another answer answered any api|call|connection|error|key app appears applicant application apply ' +
    'appointment archive argument|@ arguments array arrival as assert assertion|error asset assignment assistant|' +
    'message async asyncio attempt attempts auf auth authenticate authentication|failed|required authorization ' +
    'available awk aws azure b back|off backend bad|gateway|request badge balance|too bank base bash|@ batch ' +
    'because|status before below benutzer between billing bind bitte blank block blocked|due blocks bloqueada|por ' +
    'body booking bookings both branch|named branches broke broken browser bucket budget buffer build|error|failed ' +
    'busy but|found buy bytes c cache calendar call|error|failed called caller calling calls|per came campaign can|' +
    'no|only canceled cancelled|cancelled|error|user candidate cannot|access|allocate|connect|find|open cant cap ' +
    'capacity card cardholder carrier cart case caused cert certificate change changed changes channel character ' +
    'characters charge chart chat check|failed checks checksum child choices claim class claude|# cli client close ' +
    'closed|before closing|tag cloudflare cluster code|!400|!401|!403|!429|#|@|insufficient|invalid|no collection|@ ' +
    'column|#|@ come comes command|failed|not commit company compilation|error compile complete completed ' +
    'completion con concurrent condition config configured conflict connect|econnrefused connected connection|' +
    'closed|error|established|pool|reset|timed connections constraint contact|support contain contained container ' +
    'contains content context|@|canceled|deadline|length|window contexto continue contract control conversation|too ' +
    'core|dumped correct cost could|not couldnt count|# country coverage crashed create creating credentials credit ' +
    'credits cross csv curl|# current currently customer cycle daemon daily data database|@ date|# davinci|# day ' +
    'days db deadline|exceeded deadlock debug declaration declined decode default defined definition delai deleted ' +
    'delivery demand denegado denied|publickey depasse dependencies dependency depends deploy deployment|@|not ' +
    'deprecated desc details detected dev device did|not died diff differ different digits|# directory|@ disabled ' +
    'disconnected|before disk|quota dns do|not docker docstring document does|not domain done dont down driver ' +
    'dropped due dumped duplicate|key during e eacces econnrefused|@ econnreset edit|not either element else email ' +
    'empty|input|response en encountered end ended|#|without endpoint endpoints|found engine enoent enospc entered ' +
    'entity entry environment|variable eof equal err erreur errno|# error|!401|!403|!404|!429|!500|#|@|cannot|code|' +
    'column|connect|connection|could|err|errno|error|expected|extra|failed|from|invalid|model|msg|must|near|no|not|' +
    'object|occurred|relation|request|resource|response|server|undefined|unexpected|unknown|upgrade|while errors|' +
    'found es esockettimedout espera esta established event example exceed exceeded|# exceeds|maximum exception|@ ' +
    'exceptions exchange executable execute execution exhausted exist|@ existing exists exit|code|status exited|' +
    'with exiting expect expected|#|@ experiencing|high expired export expression external extra fail|@ failed|#|@|' +
    'connect|fetch|parse|process|start|user|with failing fails failure false|@ fast|forward fatal|authentication|' +
    'branch|cannot|error feature fehler fehlgeschlagen fetch few ffmpeg field|@ file|@|exists|or files filter find|' +
    '@|module|name finish|reason finished|#|with first fits fix flagged flight flood following foo forbidden form ' +
    'format forward found|#|@|error frame free freight from|@|daemon|model|server full function|@|call funds ' +
    'gateway gave|no gefunden gem|@ gemini generated generation get|@ getaddrinfo gi|b git given go gone google got|' +
    '# gpt|# gpu grant greater|than group guests guidelines handler hat head header healthy|upstream help|with here ' +
    'high|demand hit holiday hook host|@ hostname hour hours http|!400|!401|!404|!429|error iban id|#|@ identifier ' +
    'if illegal im image immediately import imported inactive included incomplete inconsistent incorrect index|out ' +
    'info init input|length install instance instrument insufficient|balance|funds int integer integration ' +
    'interface internal|error|server interner|serverfehler interno interpreter interrupt interrupted|user into ' +
    'invalid|@|api|input|model|parameter|request|response|type|value invoice invoices ip issue issuer item items ' +
    'itself java|lang job jobs json|position jwt kernel key|@|error|not killed kind know label lacks laden lang ' +
    'large larger|than last later ld least|one leave left|device length|# less|than level limit|#|error|exceeded|' +
    'reached limite limited line|# lines link list listening litellm llama llm load|model loaded loading local ' +
    'localhost locally locate location locator lock locked log logged login long longer|fits|than lookup lost lot ' +
    'low machine made main maintenance make|sure malformed managed managers mandate manual many|open|requests map ' +
    'mapping match|pattern matches material max maximale maximum|#|length|number may|not mb mcp|error|server member ' +
    'memory|error merge message messages method migration min mini minimum minute minutes mismatch mismatched ' +
    'missing|required|return mkdir mode model|@|claude|config|not modele modell modelo models|context moderation ' +
    'module|@|named|not mongo|server month monthly more|than most moved ms msg multiple must my|sql n na name|@|or ' +
    'named namespace nao near need needed needs net network|problem|unreachable new|api newer nicht|gefunden nie ' +
    'nil no|access|answer|api|candidates|connection|content|credentials|encontrado|endpoints|errors|es|existe|' +
    'healthy|longer|matching|model|module|more|open|output|pudo|route|space|such|tests|valid node non none|type not|' +
    'able|accepted|access|accessible|allowed|answer|applied|assignable|authorized|available|completed|configured|' +
    'cover|defined|enough|exist|find|found|function|include|installed|known|match|number|offered|parse|permission|' +
    'permitted|possible|published|reach|ready|resolve|resolved|return|set|signed|sufficient|support|supported|take|' +
    'transferred|travel|valid|work nothing now npm|err|error null number|@|not object|@|file|object occupied ' +
    'occurred|server off offer ok|# old ollama once one only oom|killed oops open|ai|files openai opened operand ' +
    'operation|against|not|timed operator option or|after|directory order org organisation organization other out|' +
    'after|memory output outside over overdue overlaps overloaded|error own owner package packages page paid panic ' +
    'par para param parameter parcel parent parse|error parsing|error|failed parts pas pass passed|# passenger ' +
    'password past patch path|@ paths patient pay payload payment|required payments payroll peer pending per|minute ' +
    'period permission|denied permissions permitted person phone|number pickup pin pipe plan playwright plugin pnpm ' +
    'point points policy|violation pool por port|# position post|@ posting power pre premature prepaid prescription ' +
    'previous price pricing printer private pro problem problems process|@ processes processing|request processor ' +
    'produced profile progress project prompt|too property|@ protected protocol provided provider proxy public ' +
    'publickey pull purchase push python q qps quantity query queue|@ quota|exceeded quote raised ran|out range ' +
    'rate|limit|limited rates reach reached|# read|econnreset|only reading|@ readonly reason received recipient ' +
    'record records recv redis reduce reference|@|error refresh refund refused|connection refusee refusing region ' +
    'registered registry rejected rejects relation|@ release reload remaining remote removed replace reply repo ' +
    'reponse report reported repository|@ request|aborted|error|exceeds|failed|id|limit|rate|timed|timeout ' +
    'requested|url requests|limit required|parameter requirement|@ requires reservation reserved reset resolution ' +
    'resolve|host resolved|@ resource|@|exhausted|not resources response|body|from respuesta restore result retired ' +
    'retries retry|#|after retrying return returned|error|no revision revoked right role room|# route|host row rpc|' +
    'error run|@|failed|out runner running runtime|error s safety same sandbox saturated saved scanner schema scope ' +
    'script|@ sdk search searches seat seats second seconds secret securite security see select selected send ' +
    'sender sensitive sent sequence server|@|error|not serverfehler serverless service|not|unavailable servidor|' +
    'esta session|@|id sessions set share shipment shop short should|less show side sie sigint sign signal ' +
    'signature|does signed sigterm size|# skipped sku|# slot slots slow|down snapshot socket sold solicitudes some ' +
    'someone|else something|went sorry source space|left spawn specified speicherplatz|auf sql|server sse ssh ssl ' +
    'stack stage staging stale start starting stat|@ state statement status|#|@|code std step|# still stop stopped ' +
    'storage stream|disconnected string|@|does sub subcommand subject subscription succeeded successfully such|file ' +
    'sudo sum superseded supplied support sure suspended symbol syntax|error system tab table tag take taken takes ' +
    'tar tarde tarea target task tasks tax tcp team temperature template tempo temporarily|unavailable terminal ' +
    'terminated terraform test testing tests|failed text than|#|@|max there|no thread throttled through throughput ' +
    'thrown ticket tiempo tier time|exceeded|limit timed|out timeout|#|@|error times tls today token|#|expired|' +
    'revoked tokens toml too|large|long|low|many|short took|too tool|@|call|calls|use tools top topic total tr ' +
    'trace tracking traffic trailing transaction transport travel treated|as tree trial tried true try|again trying ' +
    'turn two type|@|error types ulimit unable|find|locate unauthorized unavailable und undefined|not under ' +
    'unexpected|end|error|token unexpectedly unhandled|exception unique unknown|argument|error|tool unpaid ' +
    'unreachable unrecognized unsubscribed unsupported unterminated until up update upgrade|failed upload upstream ' +
    'url|@ usage|limit usd use|@|error used|up user|#|@|not username users using usuario valid|json validation|' +
    'error value|@|error|type values variable|@ verbindung verification|failed verify version|@ versions verweigert ' +
    'view|does violates violation vllm volume vom wait|# waiting want wanted warehouse warn warning warnings web ' +
    'weight went|wrong werden wether what when|calling where which while|processing|reading whisper whitespace will ' +
    'window with|#|@|code|error|id|request|status within|# without|any word work worker workers workflow working ' +
    'workspace would write wrong|format x xml yaml yarn yesterday yet z zero zone zsh длина запрос запросов ключ ' +
    'контекста модели наиден не|наиден недостаточно|памяти ответ ошибка памяти позже пользователем попробуите|позже ' +
    'превышена',
  weights:
    '3m2hn1egjp 2h1bjln 6f 2f 4b 6g2b1e 1bgn 2g1b 5i3h 2hi 3i 4m 3jo1m 5a3b2c 2a1b 2a 6r 4r2e 2r 4c2o1hr 3c 4d 4r ' +
    '4d 2ahms1dijlop 3c2bo1eimrs 3j2eis1adgnr 2de1s 2s1ad 3l2p1m 3l2m1e 3l 2d1eo 2bm 3e1alo 5o 4o2cf 4o 3s2o 2jm1p ' +
    '2d1m 3r 3s2m 3p2m 2ad1h 2im1f 3s2d1ao 2ho1eim 4i1s 3m 2bjm 3s 3b1ps 2m1ar 3i2lm 3ad2ks1c 3a2ds1cr 4s 2a1ko ' +
    '4j2s1bc 4i2l 5s2adeklq1chijp 2al1bcdknp 3em2d1acfir 1bdilmopr 4o1cegip 3o2es1cdhklpq 4o3d2e 2ho1glmn 3m2g1bio ' +
    '3ags2defhijnpq1bckr 3a2no1befghkpqr 2io1deghms 2ano1bfjps 3s2cm1biknr 4b 3r1fgh 3m 3b2o1gp 3n2ach1bkr 2i1clm ' +
    '2i1cfhm 3m2c1abghjoqr 2d1ao 2mo 2ei1ao 2af1mr 4m 3l2i1b 2bc1anr 3b 3m2f1n 3o1m 2ls1mr 3gi2o 2hmr1c 3m1l 2c1hn ' +
    '4m2s1ei 4k2c1n 2o1fhilms 2j1imo 3c1r 3fg 2f1d 2kn1j 2a 1bj 5o 4m 3s2d 2ah1r 3m 2fmq1n 4m 3o 4o 2de 3j1a 4i1m  ' +
    '2h1blmp 2eg1f 2hi 4j 3bc 2r1h 2r1c 4c 4o2l1dqs 2cf1abdelm 3q 4f1abg 2abfi1m 2bg1a 4k2qs1b 3k1bmr 2bcs1k ' +
    '3g2ar1bejn 3m 2os 3k 3q1d 3s1f 3o 3r2f 2dl 3o1dgp 3m1b 2abc1d 4g 3r2c1i 3q1s 3s 2q1deh 3m 2f1cmqrs 3o2eikn1jp ' +
    '4m1b 2er1m 3m 3f2r1di 2alm1fk 3m 3g2p 2bfls1gjor 2g1dp 3k 3d 4s 3s2p1e 3i1mp 3g1an 3q2j1dr 3j2i 3el2hi 3b 4l ' +
    '3e1ikr 3b 3r1cfo 3d 3m 2ch 3s 4p1b 2ir1m 1aego 2m 4s 4m 3o 2o1efi 3k 3i 3o2e 3rs 1abcdfilmoprs 3b 3s1p 2oq ' +
    '3q2d 2ko1jm 4o 5l3s2o1af 2eiq1dfp 3o 3m 2io1jm 2kl1j 2o 3o2cd 3k2cn1b 4h2s 3o2g 4o1bgi 2b1fn 3cr2d1fhi 3e ' +
    '3n2i1m 3s 3n2jm 3bg 4r 3fl2m1h 2im1s 2qr1dep 2os1q 3l1m 4f 4i2gs1b 3p2d 4m 3b2m 3s1eo 2egi 2bc1efhjn 2dkl1h 3f ' +
    '3p2q1m 4o2h 2abj1d 2p1abcj 2a1k 4o1dmqr 2p1s 3n1ij 4m 3f1glm 3ckl1ahns 4h3k 4k3h 3h2l 3m1p 3b 3s2e1m 3p2s ' +
    '3i2ef 4i3b2cefhps1klr 3c2kp 3s1d 3bg2fs 3i1o 2i1fgops 3s1m 3i2o1s 3g1m 3r2s 1adh 4q2d1im 3g2b 2kn1l 2ims 3s1d ' +
    '3i1m 3g1m 2im 2bmr1s 3g 2im 2b 3o1d 3o 3m2g 3b2o 3m 3s2o1q 5n2j 3r1hk 3m1ds 2ip1c 3ms2d 2deo1s 2kmq 3gi 3c1o ' +
    '3g2eir 3g2as1bcdjn 2h1gi 2a1d 3c2m 3i2a1gh 3d2kn 3k1ln 2ahs 3m 2e1q 2q1fims 3s 3d1gm 2rs1o 4c2s1f 2c1or 3c ' +
    '2fm1bei 4s1r 2gr 3m1j 2qs1aeglmr 3n2s 3b2m 2ekq1cl 4b1m 3g 2im 2o 3s2clpq1e 3m1i 3o 2dq1ms 4d 2eq1d 4o 2os ' +
    '4i2h1o 3m2i 4s2fj1b 2cjo1a 2klq1dijo 3r2m 3b 2a1cdejnr 2fg 2ks1de 3lo1cei 2os 3r2ls 3s2r 3h1imors 3m2h 3b ' +
    '3cr1d 3f2m1j 3b 2afgqs1i 3k2hm1jns 2ad 3d2e 4c1e 4l 3l1o 3is 2l1o 3n2q 2lmp 3b2j 4q 3m2e 4q2d 3q2d 5q2e1dm ' +
    '2c1or 2gmr1ajo 3f2g 4g3bc2fr1d 2dei1h 2bg1af 4g 2im 4bf2gm1ai 3i1m 3b 4h3f1m 2mr 5g2l1f 3f2m1k 5o 2bg1amo 3b2s ' +
    '3m1aeg 3o 3o 5g2q1f 3d2eklms1af 4s2af1cdk 3d1ko 3e2m 3af2c1elm 1acr 4n1m 3m 2dkoqr1bl 3g2c 3c2fkn1ab 2m1br 4h ' +
    '4c3b2r1gks 5p 3p 2dj1lmo 4b1j 6m2op1f 3o 4m2l 2fl1cdhjmnp 2m1j 3l 3n2o1h 2l1im 5d 2gm1bco 5k3fn2lqr 4l 2ik1m ' +
    '6f4a3b2gh1deklr 1abmpr 3e 2cn1aeghjr 4f2g1b 3o2gp 3n2p 3m 3f2mq1ar 2os1g 4m 3o 4m1e 4m1i 3lo 4m2s 4m 2l1emnos ' +
    '5o 3o1s 2o1s 3m1o 3o2s1m 4k2s 3k1m 2os 3q1d 3s2gr 2afs1d 3p2b 6f2s1g 3f 6f2s 4f 4f 3f1g 5p3ce2j1ho 3o 3fm1gh ' +
    '2f1hn 3s2ep1jo 3k2or1l 4o1c 3er2cs1p 2filpr1mo 3r 4m2f1hj 3i1m 5b1m 3b 2dem1fl 3e2q1h 3o1dgp 2p1go 2c1eim ' +
    '2noq1dirs 4m 2dfoq1agm 2bo1m 4q 2fim 5b1gi 2fo 2abc1d 5k1m 4m1lns 5n3g1bm 2an 4m2k 4n 4n 3k2eg1m 3i2cdr1m 2am ' +
    '4m 4g1i 3o 4o2g 2er1c 5e 3o2e 3i2g1o 6b2s1ad 3cp 4o3q2b 4o 4o 7c 3o2k1l 3l2m 4b 2lp1o 4q3o 3js 3g2i ' +
    '3g2q1bcdhklop 2fm1br 2df1aeh 4o2h1i 3g2q 3a1cfghi 2abm1k 3a 3gk 3m 4g1amq 3m 2m1bo 6q1dm 8q1b 3q 3q 3q 3n1o ' +
    '2glm1fi 3i2s1g 3p 3e 3i2o 4o2g 3lnp2o1b 5b 6c 2mo1be 4m 3e2dr1m 3o2i1ms 4m 3e2s1fi 3e 7e2m 3g2i 2fm1eos 4o1m ' +
    '3hi2fg1dr 5l2i1bm 2ko1lm 3m 3g2i 2gh1fj 2dmo1abl 2mo1d 3s1n 3m2o 3m2o 4k 2fm 3o2ms 3k2h1bgn 2h1m 2f1o ' +
    '5q2de1afgi 5e1g 4e3mq1cr 4e 3l2e1oq 3o1l 3g2pr1ad 5c 2r1abdfhiknq 3n1jlm 4f 2g1n 3a 2cq1hlor 3m1fir 3b 2j1bf ' +
    '2af 4i 4i 3lm1i 3l 4m1i 2ajm 3m 4q3o1dgp 3o 3o2p 3o2q 4m 3o1m 2mo 4o 2gpq1mrs 4o2ks 5k2j1el 4e1i 3aq2cr 2or ' +
    '3f2gs1mo 3f2o1mp 5o1m 4de1cfg 3e 4s3f 5e3p2q1df 2e1o 4e1d 3s 3p1d 3e 3d1p 5p 6m 2ir1g 2gr 4n2o 3k 4p2co1i ' +
    '3mn2l1h 6n3k1agr 6j2oq1dir 3i1j 3q 2d 2j 3j 5j 2bfj 4m2i 3a2o1g 4j1i 3j 2bor1elm 4o 2ho 3m2a1b 4e3l2f1dhiopr ' +
    '3l2efo1dhipr 3i1o 2j1mo 3j 3gm 5o 4or 2bgmop 3r2o1bn 8f 2bm 6b1m 4g2m 4l 1eiko 1eik 3b2fm1o 4c2d 3g2is1m 3bo ' +
    '2gi1aeo 3b2m 3egl2bnp 4i3c2gr1fs 2fi 5m2l1o 2mo 3h1b 3h1b 5m2l1ab 2bm 2cdi 5d3m 3d 5r 3s 2m1l 3mn 6l2j ' +
    '2fh1bios 2mo 4o 5d 5i2o 5m 2c1h 4g 5g2f1abq 4f 4d3j2b 5o 3o 3o2i1m 3o2g 5h2c1bq 3h1o 4h 3hs 2fg1q 3s1bdfq ' +
    '5n3r1g 3i2d 3fp 3d2ikl1s 3d2kls1io 5o 4o 3mo 2cmn 4m 3m 2fg1i 3i1o 5g1f 5e2f1l 2el1r 5p2o 3p 4e2m 3gr1afhs ' +
    '2fm1cghi 1aego 3o 3jl2go 1fghimo 1fghimo 3m 3ms 3o2g 3c2aehqr 4o 3i2ce 3q2dnr1ab 4o 4m1o 3m 3e2c1dp 2bmor1ei ' +
    '4g 3e 3e 4e 1inoq 3i1o 2s1mo 5o2l 3m 5m1n 7k3m 4o 4k 3fp2l 3r1p 3l2es1h 3k2bf1oq 3m 2ko 3ab2h1dir  4h 3h2cr ' +
    '3i2o 4p 3f1i 4m2i1h 3o2lm1fs 4o2f1i 3f2i 5e3l 2m1os 3de2o1i 3rs 3e2g 3e2g 2rs1delop 4f 3g1b 3i1h 3a 4r ' +
    '3bp1aefgijlmq 2flo1ceg 2ios 2dfnr1cgq 3m 3d2e 2cf1d 3r2i 4o 2go1p 4m2h1beor 2ems1o 2bo 3e2o 3i2g1bdr 2m1lns ' +
    '2h1r 2ei1ad 3fg 3l 3k2f1cdilos 2i1o 3s 2rs1bcfhil 3i1m 3q2ab1gh 2am 2ei1ago 2c1ek 2s 3o2e 3o2em1p 3i2d 2ir1eo ' +
    '3e2ils1d 4s 3c2ab1dop 5d 4d 3c 3s 4m3l1g 3r1co 2j1m 4ad3bp2j 2adj 3bjm1a 2j 3a2lqr1cdghjps 3a2ce1i ' +
    '3d2abemr1fiq 3m 4o 4o 4o2dq1c 4a3bpr 4i1o 2i1h 3m 2mn1io 3o2q1dp 3q2o1dp 5o 4o1bp 3o1p 4o2q 4o2c 4l2ko1s 3s2o ' +
    '3m2o 3c 3c 4f3b2de1m 3g2q1mo 3o1l 3o2g 2bo 3o2e 3o 3o2el1fhjpr 4o 2dfg1em 3e 3e1f 2m1l 4r 4o 3f 2o1af 4o 4m ' +
    '2emo1f 2af1m 2i1afgr 2o1a 3o 2fq1ciops 3f 3o 3o 3os 2b1io 4s1e 3fs2o 5e1dm 2a1eo 3o 5m 3m2l 3gop2hi1l 2o1im 4o ' +
    '1io 2ops1gi 3n2m 4i2jo1e 4o 3i 4o 2ln1jkp 2kln1j 4s2kq1b 3s 3o1k 5m2eho 4j 3os2e 4n 3m2ac 3a1m 4o1dm 4o2m1s ' +
    '5g2b 3l1m 4lm3o 3o 3l2fhio 4o1s 3f1i 3i2h 3l2o1e 5b2h1p 3f2m 3k2gr1adlmo 3go1a 2i1ago 3k 3i2eg1bdkr 4c3mp2j1b ' +
    '3d2cor1els 3o1m 2lm 4b 4r3e2d1fh 3dk 3k2d 3i2h1o 3o 3o 3k2l1cn 3kln 2no 2ah1efio 2aos1i 7e 2jp 2jp 3i2f1g ' +
    '3s2j1fo 2o1fln 6i2b1e 4f1bn 3km1fj 2mo 3h2f1g 2gh 3p2o1c 2fg 3m1o 3m 4i3g1q 4g 4n 4r 4k3s 2i1gmo 4l3f2r  3c ' +
    '3n1r 3n 3i2lmp1h 3c1mn 3c 4r3a1bs 4m 4o1m 6e1dgh 2df1e 4e 3a2d 4m 4r2cd1abgo 2gh1fj 3f 4i 3b2a 2gi 4m ' +
    '2fi1ghmrs 2fir1ems 2d1hkmpr 3h2f 2q1ir 2os 4n2l 3mno1l 4m 3o2lp1i 3o 3fm1d 3bf1o 3m2l 4o 4f3m 3l2eks1m 2ks1o ' +
    '4s2r1o 3o 4jn2l1m 3j 5o 4c2h1m 3m 5p4b2gr1c 3b 4b 2os 6m 3fg 3e2g1o 6r1e 3r2e 3r 3r 3r 5r 4o 4q 5q 3q 3j2l1g ' +
    '3fl2h1jmnor 4l3m 3f 2s1o 4h1m 2j1mn 2mn1b 3r2e 6m 4m1f 3m2i1s 3i2bg 4g1e 2mrs 3m1e 4m2fj1di 3m 3m 2qr1deips ' +
    '2rs1ip 3q2cdo 4c2a 9l3m1s 2l 4f 4o1p 4f3bm2s 3bi2o1m 3s2i 3s1f 5p3d 3m1ben 4i1o 2r1bs 4g3m 3bs 2rs1ip 2fhjp1k  ' +
    '3m1j 3m2ae1hknp 3c1ar 3o 2km1j 2k1jm 4m 4b3p1jm 4p 5j2e1kos 3j 2o1mp 2o1mp 3g2r1dei 4ab2djp1cs 3j2acs1b 2b ' +
    '4a3b 2bj1m 3a2d 4a3g1bk 4l2m1os 3l1ms 3o1c 3ef2i1g 3g2km1fo 5s 2c1abefhjn 2jp1cks 4k3l2a1dhi 5c2p1dos 3p2o ' +
    '5s2g 5c 3s1eq 3e 3o2q 2fi1o 3g2il 2io 4d2cor 3cm2f 4f1e 4f3s 6f 3dj2m1bo 2dj1m 4j 2dj1m 4e1io 3e1mp 5m 2bp1m ' +
    '3m2pq1e 3m2n1ae 2m1efgo 5c1r 2bdh1go 2bh1j 4l3f1o 3o 4g 3m1i 3s2l 2ap1cjmos 3p 2a1c 3s2m 3lm 2dim1o 3m 3io1m ' +
    '3n2m 3bj2am1ps 5j 3js1dmp 3m2a 3j 2b1jp 3a2gn1imp 3g1mo 3m2ps 2os1q 2mq1dir 2es1o 3l1m 8p3s2c1j 4p 3o1gm ' +
    '2ikmn1delq 3aj2m1ks 3o2bs1e 3o 3s1d 3h1j 5m 4a3d 3b2ad1eh 4o 4o 3m2fgil1o 3m1f 3o 2g1p 2fm 8h4j3ck2p1gnrs ' +
    '4h2c1g 3h 4m 5h 5k4h 4k3h 3hj2l 3hj2r1akl 3j 4n 3os 3i2s 3i 2os 3m1p 3m1p 5b 5b 3b2f1cghilp 2g1alo 2jm1eo 2im ' +
    '3s2d1ao 2ei1ad 3c2l 5g4m2f1jo 2e1m 2e1m 3j2p1imo 3bk 3e2m1ios 2os 3e1f 3h2m1i 2m1i 3p2s 5l 2gm1bf 2gm1aj ' +
    '3m2gjo1b 4e2d1g 5e2g1ai 3s2e 3e 3p2cj1beghnq 2c1hn 3q 2his1egp 3i2h1o 3i2ef 3s2e 3ik2fh1ceop 3g1f 3d 3f 4k 2ei ' +
    '4k 4f 4i 4h 4s 3f2el 4h1i 3c1h 3j2ghm 3o1i 4h 4i 3i2a 3i 5k 3s2ef 3e1i 4p 5i1hm 3o 5f 3c2kp1io 2bmop 4k1cins ' +
    '3k2s 3i2gm1fhlno 3cn 3m2f 3g 2gm 3g2mp 3m2d 4o 5o 3g1f 3b2ehr1g 2emn1b 3s2m1h 4m 5s1m 3bp2e1c 5i3h1fo 3i2h1lo ' +
    '6i4h3o1f 4s 4g1b 2gh1o 3e1m 4f2im1el 4m 3m1h 4l 4g 5g 4m 3n 3e 3d2c 2eo 3e2o 3k2o 3m1s 3fm 3b2c 3m1o 3gm2s1h ' +
    '3m 3g2i 3m 4f3m1hs 3s2m 5i4k2h1o 3o2cd 2i1fgops 2i1g 3o1efp 3k2rs1him 3i2lmp1e 4i2e 3m 3s2kl1afgi 3i1e 4o 3s2a ' +
    '4m 2rs1fhil 3r 3g2am1fos 4m 5s 3o2s 4o 2hs1o 3m2a1o 3m2ak1ijn 4g3k2o1m 4p 3p 3r1s 3b2im1fp 2ef1abh 3p 2f1ah ' +
    '3l2gs 4o 3gq2d1bcimp 3m 5g 4d 3q1o 3o2m1s 2jl1bcefio 3l1m 1io 3m2i1glr 3l1c 3g1b 4g2b 2em1gip 3dp2b1afgkms 3d ' +
    '5p 4l3n2k 4m3g2f 3g2m1bjop 4m 4m 6c 4c 3m 4g2i1m 4o1bi 4o3s 3i2ls1dmo 2bs1o 3s1dr 4n2q 5b3p 2h1bm 3m2js1i 3i2m ' +
    '3pq1mo 4l1eo 2o1el 3lm 3o1l 3l 4m 4h3g 2fhl1o 6s2dh 3o 4m 7f1ag 3m2d1b 2lo1g 2eg1il 3g1o 3o 4i2m 2os1i 3l1e ' +
    '4b2er1ms 4b 4g1r 3g 2eo 3c2g1o 5a2d1s 3a 3bm 4g3s2q1f 3g2f1s 5g 3a 3gn 2im 4m 2im 4f 4e 7b2o 2o1d 4o 4o 3o ' +
    '4m3h2i 5g4n1s 3n 3cp 3aen 2s1cdefo 3s1cdef 3bl1c 2i1degms 3i1des 3m2a 4b 2bm1do 3e1l 4b 3m 3m2o1i 4m1b 3r2i ' +
    '3e2c 3g2f1o 3k2b1h 2ers1bo 3r2o 4o3pr2c1ds 3o 3p 2cjr1o 3r 3r 3k2r 3f2h 5o 5g1bmo 5n4j1k 3j 2mos1l 4o2s 4g1n ' +
    '3o2e 3fm2h 4f3hr2dkq 3e2f 3o1gm 4f 3h2o1ag 3m1b 2gor 2p1o 3o 4a 5m 3m2al1dg 5c1imps 3im 7b2p 3p1bm 3lr1a 5o2b ' +
    '2do1bjm 2bjm 3s2ajp1k 5a2s1dkm 3as1m 4a1k 3i 3eg1m 4b3p2e1adhjs 3d1ab 3ls2egk1ad 3e 4g 3k1dlmrs 3s2k 4g ' +
    '4n2klm1j 4q3k1ejlr 4m 3gi2c1m 2cf1gi 4f 3c1e 3j2a 2mos1ir 2io 4s 4f1e 3g 5n2g1emp 3e 4e2n 4o 4g2h1b 3m1hi 3i1f ' +
    '3n2fm1cq 4o 2m1i 2m1i 3i2o1g 3m 3s2bp1a 4i3e2fgr 5i3s1g 4o 4l2k1m 2ghi 3k2l 3g1or 4g2m1p 3h2gi1b 3i2g ' +
    '3anq2cdfr1bgj 4q 2n1bhm 2bj 3mr1i 3f2s1ghp 3a 3a 2ds 3d 2hi1bcegjm 3i1gr 4a2c1bis 3a 4g3b2fm1o 3m 3im 4i ' +
    '2bfn1op 3ci1m 4m2p 4e2as1k 2e1fmo 3o2e 3e  3e 4p3gh2ai1lm 3g2hlm 3a 2gi 2cfs1pr 4k3ln2der 2ek1l 2ir1dgo 3kl1n ' +
    '3s1b 3m2do 4h 2es1o 3c2aps1h 3c2s1a 3a1o 3s2o1ejr 4o1d 5k2nr1a 3r1i 3k 4i 4f2m 2cdg1m 5g3o2p 3m1j 3p  3e ' +
    '3c2s1gl 2g1dfoqr 2fg1dq 3foq2p1cjk 3o2ij1g 2ks1i 3fp2b 2ps1q 2eq1adgop 2o1ip 2is1deo 3di2aks1p 7n 3m1o 3g1o 5c ' +
    '3s2f1o 3l2e 4m2i 4g2o1q 4o2f1dp 4o 3o1h 5a2i1o 4b3a 2bd1gm 3b1m 3s1a 4a3s2d1clr 3f2i1o 4n 3f1gm 1bgiprs 3gm ' +
    '3f2cm 2a1efgo 3i2e1m 4n 3ar2s1fk 3l1j 5e4r3c2f1h 3f1c 3mr1fp 4i 3r 3m2o1b 4cr2b1emn 3e2r 3r1c 4er2c 3c ' +
    '3f2s1bim 3s1i 2m1ei 3a1i 4s2f1or 2mr1g 3i2s1m 3f2m 3a2mno 4m2j 3m 2no 6r2e 2abce1d 4q 3f2g1o 3q2p1o 6f1m 3f ' +
    '4e2f 4q 4m3jp1s 2jps1m 2qs1m 4m2i1br 3i1mr 3c2jms 3c2p 3a1cn 3a 3o2i1m 5e2g1d 5m 5a 2e1hip 3m 3m 4s3r 3r ' +
    '3p2lr1fgn 3o1de 4b3p1m 4p 3o2e 2r1bhijos 4p 4p 2em1or 2e1m 4l1e 2de1fo 5e 3r2mp1i 3o2m1p 3fs 3o1m 3lp2m 4c1o ' +
    '3i 3i 2ms1p 3d2lq1r 2ar1gkms 3o2ks 2qr1afo 2ar1imqs 4p 3o2dq 2mq 3d2cj1mo 3kq2s1n 5q2dn1jls 3br2p 4k3e2q1cl ' +
    '2el1r 4l1jkoq 3l2m 3m 3o2g 4o 2mo 4b1m 3s2r1m 4o  1io 3g1o 4m 5q 3m 2gr1h 2bh1jl 3b1m 2o1im 3l1mo 2lo ' +
    '5c3p2gs1ilnq 3i2q 5i3g2l1m 3o2l 3c 4m 5m1j 3o1p 3a2r 3s1i 3eo 3cq2o1dm 3m2q 3o1imn 5e 3bi2o 4m 3i1m 4d 3p2ac1r ' +
    '3p1r 4eo1d 3pq2e1d 4o2f 4o3m 4o 4o2s 2o 3k2h1flmnos 3m2agj1dl 2g1adm 2dm 4m 3i2eh1p 2eh1i 4p1o 6a 2fs1mr 4a2h ' +
    '4o1r 3f2im 4d 2bc1m 6d2afm 3d 3d 4d1op 4d1op 8d3s 3s1o 2d1p 5d 2ao1km 3e 4m 6f3bl2s1ajk 3s2a1o 3f 3f 6j2k1aos ' +
    '3l 4p3aj1cm 3j2fp 3dj1o 2bm 2ap1cjos 5m 4d2s1a 3d 4o2dk1jlq 4o2g1a 2ikq1l 3m2s1k 3m2iq1j 2s1demo 3m1bp 4n2ei ' +
    '2mp1jo 2em1o 3r2o 4i 3c 4l 3r2m1d 4e2m 3m 3o 3o 3o1il 4b 2amo1p 2eo1np 2ace1hijln 2c1aelr 2i1aefgh 2kqs ' +
    '2gm1bfi 3m2s1degko 5o1l 3e2ks1d 3o1fhn 3p 4e2cil1dfn 3o1e 2fi 6f 5r3p2c1o 3d1m 4s2ko1i 4s 4ci 3lr2o1ek 4l ' +
    '2rs1i 2lo 3eo 3rs 3r2s 4m 6i2h1elo 4m 3s2r1bp 4o 3b2m 6e3c 3o1l 4m 3m1ho 4l1o 2r1abcejm 4ce2bd1o 3r2g1efim ' +
    '3bi2d 3i2d 2no 4r3c2d1a 4d2aei1hms 3e2ads1h 4b3n2ps 3b 4b 3o2bcg1fmq 3o 2ij1o 4f3bp2am 2bm 6q3fi2gs1abn 2gis ' +
    '4f3n1g 3f1gi 3f 3bi2glq 3f2os1b 3q2s 4e3m1fn 3m 4m3j2h 4m2j 3m2klo1j 3m1o 3k2h1jns 3o 2ms1l 3s2f1im 4s1m 3e ' +
    '2em1f 2em1f 3e2g 3m2eho 2eh1mo 4o 5g 2go1fi 2io 2gm1n 3ns1eo 2chr 3p2o1im 4n2eq 4a2cd1q 3a 4c2d1eo 2iq 3o 3m2e ' +
    '2af1s 3os1p 4s3o 3i2cl1em 4m 2rs1m 3r 3o2e 4o 2m1q 2o1bcfghim 2i1bcfghm 2lrs 3o2n1hj 4r1egjklmo 2jr 2kr1dl ' +
    '4h2r 4k 4gs2b 4j3f1ms 3k2in1jlmr 2os 3o2a1m 4o2i 2fo1pr 3i2r1h 3n1f 2k1adio 4d2o1mp 5d 3k2d1ems 2ks 4o1g 3m ' +
    '3r2cp1ad 3c1q 3q2f 3o1m 3bg1o 3o2n 5g4p3e2c1f 6f2er1m 4m 2o1ahi 6l 4l1m 3o 3m 3o2c1g 3e 3k2is1ce 3cm 2l1o 4j ' +
    '3n2q 4a 3f 4j 3jk 4i 3hi1lmp 4i 3p 3p 3k2l 4r3e1a 3p 3r2ac 5q 3a2c 3c2a 3b2j',
};
