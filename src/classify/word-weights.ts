import type { WordWeights } from './word-evidence.js';

/**
 * Weights learned from `test/classify/fixtures` by `npm run campaign -- classify --learn`. Change those, not this. In
 * `words`, `^` is the start of a sentence, `#` a number, `!429` an HTTP status, `@` a name, `:place` a layout.
 */
export const WORD_WEIGHTS: WordWeights = {
  categories: [
    ['rate_limit', -1.85],
    ['quota_exceeded', -1.36],
    ['overloaded', -1.26],
    ['timeout', -1.36],
    ['network', -1.32],
    ['auth', -1.26],
    ['permission', -1.23],
    ['model_not_found', -2.33],
    ['not_found', -1.45],
    ['context_length', -1.88],
    ['empty_response', -1.89],
    ['parse_error', -2.12],
    ['validation', -0.15],
    ['content_filter', -1.56],
    ['tool_failure', -0.67],
    ['resource_exhausted', -1.57],
    ['cancelled', -1.4],
    ['server_error', -1.19],
    ['unknown', -0.96],
  ],
  words:
    '!400|@ !401 !402 !403 !404|@|not !405 !413 !429|@|too !500 !502 !503 !520 !524 #|#|@|bytes|cannot|column|error|' +
    'errors|failed|failure|files|internal|mb|ms|no|not|occupied|passed|requested|resource|s|seconds|tests|tokens|' +
    'unknown :class :code :constant :error :head :lower :place :quote :sentence :short :stop @|#|@|account|api|' +
    'cannot|code|could|does|error|exceeded|failed|false|field|from|id|invalid|line|missing|model|must|no|none|not|' +
    'overloaded|permission|require|required|seconds|server|string|target|unknown ^|!400|!403|!404|!429|!500|!502|' +
    '!503|#|@|access|account|add|agent|ai|all|api|assertion|bad|bash|booking|build|can|cannot|card|carrier|channel|' +
    'check|code|command|connected|connection|container|context|conversation|could|csv|curl|database|delivery|did|' +
    'disk|do|done|driver|duplicate|e|empty|err|erreur|error|exceeded|exit|expected|fail|failed|fatal|file|finish|' +
    'function|gemini|get|git|go|http|image|input|insufficient|internal|invalid|invoice|java|job|json|jwt|key|killed|' +
    'limit|line|litellm|llm|machine|make|max|maximum|mcp|message|messages|missing|model|modele|modell|mongo|name|' +
    'nao|nie|no|node|not|nothing|npm|object|only|oops|openai|operation|page|panic|parcel|path|patient|payment|' +
    'policy|pre|process|prompt|provider|query|queue|rate|read|received|record|remote|request|requested|requests|' +
    'resource|response|respuesta|retry|run|see|server|service|session|something|sorry|start|status|stop|stream|' +
    'subscription|syntax|system|task|tempo|terraform|there|ticket|token|too|tool|try|two|type|unable|undefined|' +
    'unexpected|unhandled|unknown|upgrade|upstream|user|value|xml|yaml|zero|запрос|не abgebrochen abort|error ' +
    'aborted above access|@|denied|model accommodation account acme action active actual add added address adds|tax ' +
    'administrator after|#|@|end again against agent ai air all allocate allowed allows already amount and|cannot|' +
    'not anforderung another answer any api|call|connection|error|key app application apply argument|@ arguments ' +
    'array arrival as assert assertion|error assignment assistant|message attempt attempts auf auth authentication|' +
    'failed|required authorization available aws b back backend bad|gateway|request badge balance bank base bash|@ ' +
    'batch because before benutzer between billing blank block blocked|due blocks bloqueada|por body booking both ' +
    'branch branches broken browser bucket budget buffer build|failed busy but buy bytes c cache calendar call|' +
    'error called caller calling calls came can canceled cancelled|error|user candidate cannot|access|connect|find|' +
    'open cant capacity card cardholder carrier cart case caused cert certificate change changed changes channel ' +
    'character characters chart chat check checksum choices class claude client close closed|before closing ' +
    'cloudflare cluster code|!400|!401|!403|!429|#|@|invalid collection column|#|@ command|failed|not commit ' +
    'company compilation compile complete completed completion concurrent condition config configured conflict ' +
    'connect|econnrefused connected connection|closed|error|pool|reset|timed connections constraint contact contain ' +
    'container contains content context|length|window contexto continue contract control conversation core could|' +
    'not country coverage crashed create creating credentials credits cross csv curl|# current currently customer ' +
    'daemon daily data database date|# day deadline|exceeded deadlock debug decode default defined delai deleted ' +
    'delivery denegado denied|publickey depasse dependencies dependency depends deployment|@ deprecated desc ' +
    'details detected device did|not died diff differ different digits directory|@ disabled disconnected disk do|' +
    'not document does|not domain done dont down driver dropped due duplicate during e eacces econnrefused|@ ' +
    'econnreset either element email empty|response en encountered end ended endpoint endpoints|found engine enoent ' +
    'enospc entity entry environment|variable eof err erreur errno|# error|!401|!429|!500|#|@|cannot|code|connect|' +
    'could|err|error|expected|extra|failed|from|invalid|near|no|not|object|occurred|relation|request|response|' +
    'undefined|unexpected|unknown|upgrade|while errors|found es esockettimedout espera event exceeded|# exceeds ' +
    'exception|@ exceptions exchange executable execute execution exhausted exist|@ exists exit|code|status exited|' +
    'with exiting expect expected|#|@ expired export external extra fail|@ failed|#|@|connect|fetch|parse|start|' +
    'with failing fails failure false|@ fatal|cannot|error fehler fehlgeschlagen fetch field|@ file|@|exists files ' +
    'filter find|@|module finish|reason finished first fits fix flagged flight flood following foo forbidden form ' +
    'format found|#|@|error free freight from|@|daemon|server full function|@|call funds gateway gave|no gefunden ' +
    'gemini generated generation get|@ getaddrinfo gi|b git given go gone google got gpt gpu group guests ' +
    'guidelines handler hat head header help here high hit holiday hook host|@ hour hours http|!400|!404|!429 iban ' +
    'id|#|@ identifier illegal image immediately import inactive included incomplete incorrect index info input ' +
    'install instance instrument insufficient|balance|funds int integer integration internal|error|server interno ' +
    'interrupt interrupted|user into invalid|@|api|model|request|response|type|value invoice invoices ip issue ' +
    'issuer item items java|lang job jobs json jwt kernel key|@|error|not killed kind label lacks lang large last ' +
    'later least left|device length|# less|than level limit|#|exceeded|reached limited line|# lines link list ' +
    'listening litellm llama llm load loaded loading local locally location lock locked log logged login long ' +
    'longer|fits|than lookup lost lot low machine made main maintenance make|sure malformed managers mandate many|' +
    'requests mapping match matches material max maximale maximum|# may|not mb mcp|error|server memory|error merge ' +
    'message messages method mini minimum minute minutes mismatch mismatched missing model|@|not modele modell ' +
    'modelo models moderation module|@|not mongo|server month monthly more|than most ms multiple must n name|@ ' +
    'named nao near need needed needs net network new newer nicht|gefunden nie nil no|access|candidates|content|' +
    'credentials|encontrado|endpoints|errors|es|existe|healthy|longer|matching|module|output|pudo|route|space|such|' +
    'valid node non none not|accepted|access|allowed|answer|assignable|available|configured|defined|enough|exist|' +
    'find|found|function|include|installed|match|offered|parse|permission|permitted|possible|resolve|return|set|' +
    'signed|sufficient|supported|valid|work nothing now npm|err|error null number|@ object|@|object occupied ' +
    'occurred off ok|# once one only oom oops open|ai openai opened operand operation|not|timed operator option or ' +
    'order organization other out|after|memory output outside over overdue overlaps overloaded|error own owner ' +
    'package packages page paid panic par para param parameter parcel parent parse|error parsing|error parts pas ' +
    'passed|# passenger password past patch path|@ patient payload payment|required payments peer pending per|' +
    'minute period permission|denied permissions permitted person phone|number pin plan plugin pnpm points policy|' +
    'violation pool por port|# position post|@ posting pre prepaid previous price private pro problem problems ' +
    'process processing|request produced progress project prompt|too property|@ protocol provided provider proxy ' +
    'public publickey pull push q quantity query queue quota|exceeded quote raised ran|out range rate|limit|limited ' +
    'reach reached|# read|only reading|@ readonly reason received recipient record recv redis reduce reference|' +
    'error refresh refused refusee region registry rejected release remaining remote removed replace reply repo ' +
    'reponse report reported repository|@ request|aborted|error|failed|id|limit|timed|timeout requested|url ' +
    'requests required requirement requires reservation reset resolve resource|@|exhausted|not resources response|' +
    'from respuesta result retired retries retry|#|after retrying return returned|error revision revoked role room ' +
    'route|host row run|@|failed|out runner running runtime|error s safety same sandbox saturated saved scanner ' +
    'schema scope script sdk search searches seat second seconds secret securite security see select selected send ' +
    'sensitive sent server|@|error|not serverless service|unavailable servidor session|id sessions set shipment ' +
    'shop short should show side sie sigint sign signal signature signed sigterm size|# sku slot slow snapshot ' +
    'socket sold solicitudes something sorry source space|left spawn specified sql sse ssl stack stage staging ' +
    'start starting stat state statement status|#|@|code step still stop stopped storage stream|disconnected string ' +
    'subscription succeeded such|file sudo sum superseded support sure suspended symbol syntax|error system table ' +
    'tag taken takes target task tax tcp team tempo temporarily terminal terminated terraform test testing tests ' +
    'text than|#|@ there|no thread throttled through thrown ticket tiempo time timed|out timeout|@|error times tls ' +
    'today token|#|expired|revoked tokens too|large|long|low|many|short took|too tool|@|call|calls|use top topic ' +
    'total trace trailing transaction transport tree trial tried true try|again trying turn two type|@|error types ' +
    'unable|find unauthorized unavailable undefined under unexpected|end|error|token unexpectedly unhandled|' +
    'exception unique unknown|error|tool unpaid unreachable unrecognized unsubscribed unsupported unterminated ' +
    'until up update upgrade|failed upstream url|@ usage|limit use|@ used|up user|@|not username users using ' +
    'usuario valid|json validation|error value|@|error values variable|@ verification|failed verify version|@ ' +
    'versions view violation volume vom wait|# waiting warehouse warning warnings web went|wrong werden when|' +
    'calling which while whisper whitespace will window with|@|code|error|id|request|status within|# without word ' +
    'work worker workers working workspace would write wrong x xml yaml z zero zone длина запрос запросов контекста ' +
    'модели не ответ ошибка позже пользователем попробуите',
  weights:
    '4m2hn1begjp 2h1bjln 7f 4b 6g2b1e 5i3h 2hi 3i 4m 4j3o 6a3b2c 2a1b 2a 6r 5r2e 4c2o1r 4r 4d 2ahms1bdijlop ' +
    '3c2bo1emrs 3j2egi1adklnrs 3l2p1m 3l2m1e 3l 3e2a1l 4o 4o2cf 4o 3s2o 3r 3p2m 3s2d1ao 2ho1eim 4i1s 3m 3s 3m1ar ' +
    '3i2lm 3d2acks 3a2ds1cr 4s 4j3s1bc 3i2l 5s3q2adekl1bcghijp 2al1bcdiknor 3em2d1acfir 1dilmor 4o1cegilp ' +
    '3o2els1cdhkpq 4o3d2e1i 2ho1bgjlmn 3m2g1bio 3ags2defhijnpq1bckr 3a2no1befghkpqr 2io1deghms 2ano1bcfjkprs ' +
    '3s2cm1bijknr 4b 3r2g1fh 3b2o1gp 3n2ach1ikr 2cil1m 2i1cfm 3m2c1abghjoqr 3d1ao 3i2e1ao 2af1mr 3m 3l2bi 2bc1amnr ' +
    '3m2f1bn 2o1m 3gi2o 2hmr1c 3m1l 5m2s1ei 4k2c1n 2ho1fils 3c2r 3fg 5o 4m 3s2d 3h2a1r 5m 4o 4i1bm  2hm1blp 2eg1f ' +
    '2hi 3bc 2hr 2r1c 5c 4o2l1deqs 2cf1abdjlm 5f2a1bg 2abfi1m 2abg 4k3b2qs 3k2m1blr 3s2c1bk 3g2ar1bejn 2os 3r2f ' +
    '3o1dp 2cr1i 4q1s 2f1cmqrs 4o2eknp1ij 4m1b 2er1m 3f2r1di 2alm1fk 2bfls1gjor 2gp1d 4s 4s2p1e 3i1mp 3q2dj1r 4j2i ' +
    '3el2hi 4l 3e1ikr 3r2f1co 3m 3s 4p1b 2ir1gm 4s 4m 3o1m 2io1ef 3k 3o2e 3rs 1acdflmoprs 3b 3q2d 2ko1jm 4o ' +
    '5l3s2o1afg 2iq1defp 3i2o1jm 2kl1j 3o2cd 3k2cn1b 4h1s 4o2g 4o2g1bi 3cr2df1h 3n2i 3n2jm 3bg 4r1c 3fl2m1h 2ims ' +
    '2qr1dep 2os1q 3l1m 4f 4i2bgs 3dp 2bm 2os1e 2bce1fhjn 2dhkl 3p2q1m 4o2h 2abj1d 3p1abc 4o1dmqr 3n2i1j 4m 3f1glm ' +
    '3ckl2n1adhs 4h3k 4k3h 3m1p 3es 3p2s 3fi2e 4i3be2cfps1hklr 4c2kp 4g3bs2f1o 3i1o 2i1fgops 4i2o1s 3g1m 3r2s 1adhk ' +
    '4q2d1im 3s2m1i 3s1d 3i1m 3g1m 2im 3m2brs 4m2g 2bo 3s2o1q 5n2j 3r1hk 3m1ds 2ip1c 4s3m2d 3eo2d1s 2kmq 4i3g ' +
    '4g2er1i 3g2as1bcdjnq 2h1gi 3a2d 3i2a1gh 3dk2n 3k2n1l 2ahs 2q1fims 2rs1o 4c2s1f 2c1or 2fm1bei 4s2r 2gr 3m1j ' +
    '2gqs1adeilmr 3n2s1q 2eklq1c 4b1m 2o1l 3s2clpq1e 2dmq1s 4d 4o 4i2h1o 3m2i 4s2fj1b 2cjo1a 2diklq1jo 2anr1cdej ' +
    '2fg 2ks1de 3lo1cefi 2os 4r3l2s 4s2r 3h2r1imos 3b 3cr1d 2afgiqs 3k2hjms1n 4l 3l1o 3is 3n2q 3p2lm 4q 4q2d 4q2d ' +
    '5q2e1dm 2gmr1aj 4g3bc2fr1d 2dei1h 2g1abf 4g 3i2m 4bf2g1aim 4h3f1m 5g2fl 3m2f1k 5o 2bgo1a 3b2s 3m2ae1g 3o 3o ' +
    '5g3q1af 4d3l2ekms1af 4s2adf1ck 3d1ko 3e2m 3af2c1elmr 4n2m 2bdkoqr1l 3c2fkn1abr 4h 4bc2r1egks 6p 2dj1lmo 4b1j ' +
    '6m3o2p1f 5m2l 2fjl1bcdhmnq 3l 3n2o1h 5d 2bcgm1o 4kn3f2lqr 3k2i1dm 6f4a3bh2g1cdeklr 2r1abmp 3e 2chn1aegr 5f2g1b ' +
    '3go2p 3fm2q1ar 2os1g 5m1eo 4m1i 3lo1m 4m3s 5m 2lo1emnrs 5o 3o1s 2o1s 3o2s1m 5k2s 3k1m 4s2gr1o 2adfs1e 5p3b ' +
    '6f3s1g 7f2s 4f 4f 3f1g 5p4c2ehj1o 3f2m1gh 3s2ep1jo 3ko2lr1a 3er2cs1p 3p2filr1mno 3r 4m2f1hj 3i1m 6b1m 3e2dm1fl ' +
    '3e1hq 3o1dp 2p1go 2cm1ei 3n2oq1dirs 2foq1adglm 4q 2fim 5b1gi 5k1m 4m1ls 4gn2b1m 3n2a 4m2k 4n 4n 3k2eg1dm ' +
    '3i2cdr1m 4m 5g1io 4o2g 6e 4o1e 3i2g1o 6b1ads 3cp 5o3q2b 4o 7c 3o2kl 5b 3l2p1o 4q3o 4s3j 3g2i 3g2q1bcdhlo ' +
    '2fm1br 4o3h1i 3g2q 3a2i1bcfh 3a2bm1k 3gk 4g1am 7q1dm 9q1b 4q 3q 3n2o 2glm1fi 3is 4e 3i2o 4o1g 3lnp2o1b 6c ' +
    '2emo1b 4m 3e2dr1im 3i2o1ms 4m 3e2s1fi 4e 7e2m 3gi 3m2o1fs 4o1m 3hi2fg1dr 5l2i1bm 3k1jlmo 4g2i 2gh1fj 2mo1adl ' +
    '3m2o 4k 3o2ms 3hk2n1g 5q2e1adgim 5e1g 4e3mq1cor 3e 3l2e1oq 4g2pr1ad 5c 2afr1bdhiknq 3n1jlm 4f 2g1bn 3a ' +
    '2cq1ahlno 3m1fi 3j1bf 5i 3lm 3l 4m 4q3o2p1dg 3o 3o2p 3o1q 4m 3o2m 4o 2gpq1rs 4o2ks 5k2jl1er 3aqr2c 2or ' +
    '3fs2gm1o 3f2m1op 5o2m 5d4e2c1fg 3e 4s3f 6e3p2q1dfs 2e1o 4e1d 3p1d 3e 3d2p 5p 6m 3r2i1g 4n2o 3op2c1i 3mn2hl ' +
    '6n3k1agjr 6j2q1dior 2j 4j 5j 3f2bj 4m2i 3a2o1g 5j1i 4o1belr 4e3l2f1diopr 3l2efo1dhinpr 4g2m 5o 5r4o 3p2bgo1m ' +
    '3r2no1b 8f 7b1m 4g2m 4l 1eiko 1eik 3b2fm1o 4c2d 3g2is1m 2g1aeio 4b2m 3egl2bnp 4i3c2gr1fs 5m3l 2mo 5m2al 5d3m ' +
    '4d 5r 3s1o 6l2j 2fh1ios 3m2o 5d 5i2o 5m 5g 5g2f1abq 4f 4d3j2b 5o 4o 3o2i1m 6h2c1bq 3h1o 4h3s 3f2gq 3s1bdfq ' +
    '6n3r1g 3fp 3d2kl1ios 3d2kl1ios 5o 4o 3mo 2cmn 4m 2fg1i 2i1g 5g1f 6e2fl 5p2o 3gr2a1fhs 2fm1cghi 3jl2go ' +
    '2m1fghijo 2m1fghijo 4m 3ms 3o2g 3ac2ehqr 5o 3i2ce 3q2dnr1abf 4m2o 3e2c1dp 2bimo1er 4g 3e 3e 5e 2os1m 5o2l1d ' +
    '5m1n 7k3m1o 4k 3fp2l 4r1p 4l2es1hm 3k2bf1moq 3ab2h1dfir  4h 4h2cr 4i2o 4p 4m3i1h 3mo2fls 4o2f1i 3fi 5e3l ' +
    '3de2o1g 3rs 3eg 3eg 2s1cdeopr 4f 3a 4r 3p2bj1aefglmq 2cfglo1e 2ios 2dfnr1acgq 3d2e 3r2i1f 4o 4m2h1beo 2es1mo ' +
    '2bo 3e2o 3i2g1bdr 2m1lns 3l 3k2f1cdilos 3i 3s1o 2rs1bfhil 3i2m 3q2abg1h 2ei1agop 2s1o 3o2e 3o2em1p 3i2d 2ior ' +
    '3ei2l1dos 4s 3c2abp1do 5d 5d 4m3l1cg 4ad3bp1j 2adj 4j3bm1a 3a2lqr1cdghps 3a2ce 3d2abeimqr1f 4m 5o 4o 4o2dq1c ' +
    '5a4r3bp 4i1o 2i1ho 2mn1i 3o2pq1d 3q2op1d 5o 5o1b 3o1p 5o2q 4o3c 5l2ko1s 3s2o 3m2o 5f3b2de1m 3g1moq 3go 2bo ' +
    '3o2e 3o 3eo2flr1dhjp 4o1s 2dfg1ehm 4e 3e1f 2m1l 4o 3o1af 4o 4m 3e2mo1fr 2af1m 2i1agr 2fpq1cios 3o 4s3o 5s2e ' +
    '3fs2o 5e1dm 5m1o 3m2l 3io2ghp1l 2mo1gi 4o 3p2s1gio 3n2m 4i3o2j1e 4o 3i 2lnp1jk 2kln1j 4s2kq1b 5m3h2eo 4j 3os2e ' +
    '4n 3m2ac 3a2m 4o1dm 4o2ms 5g3b 3l1m 4lm3o 3l2fhio 4o1s 3f1io 3i2h 6b2h1p 3fm 3k2agr1dlmq 3go2a 2i1agop ' +
    '3i2eg1bdkr 4c3mp2j1b 3d2cor1els 2o1m 3m2l 4b 4dr2e1fh 4d2k 3d2k 3i2h1o 3k2l1cfn 3kln 3n2o 2ah1efio 2aio1s 7e ' +
    '2jp 2jp 3i2fg1m 3s2j1fo 2fno1gl 5i2be 4f1bn 4k3m1fj 3h1fg 3p2o1c 4i3g1q 4g 4n 4r 4k3s 2io1gm 4l3f2r 3n1r ' +
    '3i2mp1hl 6c1n 4r3a2bs 4m 4o1m 6e1dfgh 2df1e 3ad 4m 4r2cd1abfg 2fgh1j 4i 3b2a 4m 2fhi1gmrs 2fir1egms 2d1hkmopr ' +
    '3h2f1o 3o2s 3mno1l 5m 3o2ilp 3fm1d 3bf1mo 3m2l 4f3m 4l2eks1m 5s2r1o 4jn2l1m 5o 4c2hm 4m 5p4b3g2r1c 3b 4b 2os ' +
    '6m 3fg 6r1e 3r2e 2r1c 6r 4q 5q1o 3q 3jl1g 3fl2ho1jmnrs 4l3m 3f 4h1m 2bmn 3r2e 6m 4m1f 3m2i1s 3i2bg 4g2e 2mrs1k ' +
    '3m1e 4m2fj1di 3m 2qr1deps 2rs1ip 3cdq2o 4c2a 9l3m1s 4f 4o1p 4f3bm2s1g 3bi2o1m 3s2i1m 3s1f 6p3d 4m2bn1de ' +
    '2br1mos 4g3m 2rs1ip 2fhj1kp 3m2ae1hknp 3c1ar 2jk1m 4b2p1jm 4p 6j3e1kos 3j 2o1mp 2o1mp 3g2r1dei 4ab3j2dp1cs ' +
    '3aj2cs1b 3ab 2jm1ab 4a3g1bk 4l2m1os 3l1ms 3o1c 3efi1g 3g2k1fmos 5s 2ce1abfhjn 2jp1cks 4k3l2ad1hi 5c2p1os 5s2g ' +
    '5c1r 3s1eq 4o2q 2gil 4d2cor 3cm2f 5f2e 4f3s 7f 3dj2b1mo 2dj1m 4j 2dj1m 5e2i1o 3e1mp 5m 2bp1m 3p2mq1e 3m2aen ' +
    '2o1efgm 4c1r 2bdh1go 2bh1j 4l3f1o 4g 3m1i 2ap1cjms 2ac 3lm 2dim1o 3io1m 4n2m 3jm2abs1p 5j 4j3s2p1d 3m2a ' +
    '4a2gmn1i 3g1mo 3mp2s 2os1q 2m1diqr 2es1o 8p3s2c1j 4p 4o1gm 2dikmn1elq 4a3j2m1ks 3o2bs1e 3h 5m 4a3d 3b2ade1h 4o ' +
    '4o 4m2fgil1o 9h5j4k3c2np1gr 5h2c1g 5h 5k3h 4k3h 3hj2l 4j3hr1akl 4n 3os1i 3i2s 2os 3m1p 3m1p 5b 6b 3b2f1acgilp ' +
    '2gl1ado 2jmo1e 3s2d1aeo 3c2l 5g4m2f1jo 3j2op1im 5e2m1os 2os 3h1im 3p2s 5l 2gm1bf 2gm1aj 4m2jo1bg 4e2d1g ' +
    '5e2g1ai 3cjp2hq1begn 3q 2ghips1e 3i2h1o 3fi2e 3s2e 4i3k2fh1ceop 4g1f 4k 4k 5f 5i 4h 4s 3ef2l 4h2i 4c1h 3hj2m1g ' +
    '2o1i 4i 5k 3es2f 3e1i 4p 4i2m1h 5f 3c2kp1io 3op2bm 4k2s1cin 3i2g1fhlmno 4m2f 3g 3g2mp 2dm 5o 3bh2egr 3s2m1h ' +
    '5s1m 3p2be1cm 6i4h1fo 3i2h1lo 6i4h3o1f 4s 4g1b 3g2h1o 4f3m2ei1l 3m1h 5l 4g 5g 4m2o 3e1o 3k2o 3m1s 3fm 4b2c1g ' +
    '3gm2s1h 4f3m1hs 3s2m 5i4k2h1o 3o2cd 2i1fgops 2gi 3o1efip 3k2rs1him 3i2lmp1ej 4i2e 3ls2k1afgim 2i1e 3s2a 4m ' +
    '2rs1fhil 2afgmo1s 5s 3o2s 3m2a1o 3m2ak1ijn 5g3k2o1m 5p 3r1s 3b2imp1f 2ef1abh 2f1a 3l2gs 4o 3gq2d1bcimp 5g 4d ' +
    '3q1o 4o2m1s 2ejl1cfio 3im2lr1g 4g2b 3e2m1gip 3dp2b1afgkms 3d 5p 5l4n3k 4m3g2f 3m2gj1bo 4m 4m 6c 4c 3m 4g2i1mq ' +
    '4o2i1b 4o3s 3i2ls1dmo 3s1bo 3s1dr 4n3q 5b3p 2h1bm 4m2js1in 3i2m 3pq1mo 4l1eo 2o1el 3lm 3o1l 4m 4h3g 6s2dh1f 3o ' +
    '4m 7f1ag 3dm 2lo1g 2eg1il 3g 4i2m 3l2e 3b2mr1es 4b 4g1r 2eo 3cg1o 5a2d1s 3a 3bm 4g3s2q1f 3g2f1s 5g 3a 3gn 2im ' +
    '4m 4f 7b3o 4o 4o 4m3h2i 5g4n1s 3n 3cp 3aen 2s1cdefo 3s2e1cdf 4l3b1c 2gi1dems 3i1des 3am 2bm1do 4b 3m2io 4m2b ' +
    '3g2f1o 3k2b1h 2ers1bo 4r2o 4o3pr1cds 2cjor 4r 3k2r1o 5o 5g1mo 5jn1k 2j 2mos1l 4o2s 3o2e 3fm2h 4f3hr2dkq 3ef ' +
    '4o1g 4f 3h2o1ag 2gor 3o 5m 3m2al1dg 5c2ims1p 7b2p 3p1bm 3lr1am 5o2b 2djo1bm 2bjm 3s2ajkp 5a2s1dkm 3as1m 5a1k ' +
    '3eg1m 5b3p2e1adhjs 3d1a 3l2egks1ad 4g 3k1dlmrs 3s2k 4g 4n2klm1jp 5q3k1ejlr 4m 3gi2c1m 4f 3c2e 3aj 3o1imrs 4s ' +
    '4f1e 5n2eg1mp 4e2n 4g2h1b 3i2f 3n2fm1cq 3i2o1g 3ps2b1a 4i3e2fgr 5i3s1g 4o 4l2k1m 2ghi 3k2l 3g1or 4g2m1p ' +
    '3h2gi1b 3i2g 4q3an2cdfr1bgj 4q 2bn1hm 3mr1i 3f2s1ghp 4a 2ds 3d 2hi1bcegjm 4i1gr 4a2ci1bs 4g3b2fm1l 4i3m ' +
    '2bm1fno 3ci1m 5e2as1k 3o2e 4hp3g2ai1lm 2ghlm 4a 3g1i 2cfs1pr 5k3eln2dr 2ir1adgo 3kl1n 3m2do 5h 3s2e1o 3ac2ps1h ' +
    '3c2s1a 3a1o 3s2or1ej 5o 5k3n2r1ag 2ir1go 4i 4f2m 5g3o2p 5m1j  3e 3c2ms1gl 4q2fop1cjks 3o2ij1g 3s2k1i 3fp2b ' +
    '2ps1q 2eq1adfgop 2o1ips 2is1de 3di2aks1cp 8n 4m1o 3g1o 5c 4s2f 4l2e 5m2i 4g2oq 5o2f 3o1h 5a2i1o 3ab 3d2bm1g ' +
    '4s1a 4a3ds1lr 3f2i1o 4n 3f2g1m 2ipr1gs 3gm 3f2cm 2af1ego 4n 3ar2s1fkm 6e4r3cf1h 3f2c 3mr1fp 4i 3m2o1b ' +
    '4cr2be1in 3r1c 4ce3r 4f2s1im 3m1ei 3a1i 4s2f1or 3is1m 3f2m 3a2mno 5m2j 3o2n 6r2e 3ab2ce1d 4q 3f2g1o 4q1dop 6f ' +
    '4e2f 4q 5m3jp1s 2jps1m 4m3i1br 3c2jms 4a1cn 3io1m 5e2g 5m 5a 4s3r 3p2lr1fgn 4o1de 4b3p1m 4p 3o2e 2or1bhis ' +
    '3e2m1r 5l 5e 3mr2p1i 2mo1p 3fs 3lp2m1j 5c1o 4i 3s2m1p 3d2lq1r 2agmr1ks 3o2ks 2qr1afo 2ar1imqs 3o2dq1m 3d2cj1o ' +
    '3kq2s1n 5q2dn1jls 3br1p 4k3e2q1cl 2el1r 5l1jkoq 5b 3s2mr  2io 3g1o 4m 5q 2gr1h 2bh1jl 3b1m 2io1m 3l1mo 2lo ' +
    '5c3p2gs1ilnq 5i4g2l1m 3o2l 4m 5m1j 3eo 3coq2m1d 2o1imn 5e 3bi2o 4d 3p2ac1r 4eo1d 4q3ep1dl 4o2f 4o3m 5o 5o2s ' +
    '3hk2l1fmnos 3m2agj1d 2dg1a 2dm 3i2eh1p 3h2e1i 4p1o 6a 2fs1mr 4o1r 3f2im 5d 6d2m1af 4d2o1p 4d2o1p 8d3s 2d1ps 6d ' +
    '3a2o1k 4e 4m 6f3bl2js1ak 3s2a1o 3f 3f 6j3k1aos 4p3aj1cdm 3j2fp 3dj1o 3b2m 2ap1cjmos 5m 4d1as 4d 4o2dklq1j ' +
    '4o2g1a 2ikq1l 3m2ks 3m2iq1j 3m1bp 4n2ei 2mp1jo 3r2o 4l 4r3m1d 4e2m 3o1il 5b 2amo1p 2eo1p 2ace1hijln 2c1aelmr ' +
    '2hi1aefg 3s2kq 2gm1bfi 3m2os1degk 4o1l 3e2dks 3o2h1fn 4e3i2cfl1dn 3o2e 6f 4r3p2c1o 4s2ko1i 4ci1m 3lr2o1ek 4l ' +
    '2rs1i 2lo 3e2o 3rs 3r2s 4m 6i2h1elo 3s2r1bp 5o 3b2m 6e3c 3o1lm 4m 4m1o 4l1o 2jr1abcem 4c3de2b1o 3r2g1efim ' +
    '4b2di 3i2d 4cr2d1a 4d2aei1hms 3e2adhs 4bn2ps 3b 3o2bcg1fjmq 3o 4f3bp2am1h 2bm 6q3fi2gs1abn 4f3n1g 3f1gi 3f ' +
    '3bi2glq 3fs2bo 4q2s 4e3m2f1n 4m 4m3j2h 4m2j 3m2klo1js 4m1o 3k2hj1nos 2ms1l 3s2f1im 4s1m 3e2m1f 2em1f 3e2g ' +
    '3m2eho 2eh1mo 4o 2go1fi 3ns1eo 3p2o1im 3en2q 4a2cdq 3a 4c3d1eo 3em1b 3os1p 4s3o 3l2ci1em 3r1ms 3r 3o2e ' +
    '2o1bcfghim 2i1bcfghm 4o2n1hjm 4r1egjklmo 4h2r 4k 4gs1b 4j2f1ms 3kn2i1fjlmr 3o2a1m 4o2i 2fo1pr 3i2r1h 4n2f ' +
    '2ik1ad 4d2o1mp 5d 4k3d2s1em 4o1g 3m 3r2cp1ad 4c1q 3o2m 4b3g1o 4o2n 4gp3ce1f 6f2er1m 2io1aghs 6l 4l1m 3e1gm ' +
    '3k2cis1e 3cm 4j 3n2q 4a 4j 3k2j 5i3h2p1l 3k2l 4r3e1a 3cr2a 5q 3ac',
};
