import type { WordWeights } from './word-evidence.js';

/**
 * Learned from `test/classify/fixtures` by `npm run campaign -- classify --learn`; change those, not this. Each line is a word,
 * what it speaks for, and the words that speak with it as the next one (`_such`). In `a3c1` the letter is the category, `a` the
 * first one, and the digit its weight in steps of 0.5; `-` is no weight. `^` is the start of a sentence, `#` a number, `!429`
 * an HTTP status, `@` a name, `:place` a layout.
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
  words: `
!400 e1g1h2j1m3n2p1 _@ b1h2j1l1n1
!401 f6 _unauthorized f2
!402 b4
!403 b2e1g6 _@ b1g1n1 _forbidden b1g2
!404 h3i5 _@ h2i2 _not i3
!405 m4
!413 j3m1o3
!429 a5b3c2 _@ a2b1 _too a2
!500 r6
!502 e2r4 _bad r2
!503 c4h1o2r1 _service c3
!504 d4
!520 r4
!524 d4
# a2d1h2i1j1l1m2o1p1s2 _# b2c3e1i1m1o2r1s1 _@ a1d1e2g1i2j3n1r1s2 _after d2e2s1 _attempts a1d1s2 _bytes l3m1p2 _cannot e1l3m2 _column l3 _connection d2e1o1 _days b2m2 _error a1e3l1o1 _errors o5 _failed c2f2o4 _failure o4 _files o2s3 _full j2m2p1 _hour d2m1 _internal r3 _invalid m2s3 _mb m2p3 _minutes a2d2h1 _missing f1i2m2 _ms a1d2o1s3 _no e1h2i1m1o2 _not i4s1 _occupied m3 _over b2j2m2 _passed s3 _reached b3p1s1 _requested a1m2r1 _resource i3l2m2 _s a3c1d3k2s2 _seconds a3c1d2r1s2 _tests s4 _times a2k1o1 _tokens b1c1j4s2 _unknown i4l2
:class a2c1d2e2h1i1j1k2l2p1q2s5
:code a2b1c1d1k1l2n1p1
:constant a1c1d2e3f1i1m3r1
:error b1d1i1l1m1o1p1r1
:head c1e1g1i1o4p1
:lower c1d1e2h1k1l1o3p1q1s2
:place d3e2o4
:quote g1h2l1m1n1o2
:sentence b1g2i1m3o1
:short a3b1c1d2e2f2g3h2i2j2k1n2p2q2r1s3
:stop a3b1e1f1g1h1k1n2o2p1q1r1
@ d1e1g1h1i2m1o2s1 _# a2b1f1j1n2o2p1s1 _@ b1c2i1k1m2n1r1s3 _account b4 _api f1g1h1r3 _blocked m3 _cannot b3g1o2p1 _code a2b1c2h2k1n3r1 _could c1i2l1m1 _does c1f1h1i2m1 _error a1b1c2g1h1j1m3o1q1r1 _exceeded a1d2o1 _expected m2o2 _failed a1e2i2o1 _false a2f2m1r1 _field m4 _from b1i2l3 _id a1b2c2n1r1 _insufficient b3 _invalid f2m3n1 _line m1o3 _message l2m1r1s2 _missing g3i3o2 _model c1h2m2r2 _must l1m3 _new c2h1n1 _no e1i1m4s2 _none c2k4n1 _not f1h1i1l1m1o2s1 _or i1j2m1o1 _overloaded c3r1 _permission f3g3 _port d1f2 _prompt j1k2n2 _rate a2 _request b1j1 _require o5 _required m4 _seconds d2s3 _server a2h2r1 _should m3 _status f2m2n1q2 _string m4 _syntax o3 _target o4 _timeout d2e2 _tokens a1j3 _unknown i4m1
^ - _!400 b1h2l1m1p1 _!403 e2f1g2 _!404 h2i2 _!413 j4 _!429 b3c3 _!500 h1r2 _!502 c1r2 _!503 c4 _# d1l2o4q1s1 _@ a1b1c2d1e1f2l1m1 _abort q3 _access a1b1f4g1 _account a2b2f2i2m1 _add a1b2g2 _agent b1k4q2s2 _ai b1k3m1r1 _all b2c2k1s2 _api a2b1e1g3j1n1r2 _applicant m3 _assertion o2s2 _assistant k3 _asyncio d1q3 _authentication f1s3 _awk o3 _bad f2r3 _bank d2l2 _bash d1g1o3p1 _batch b1m3 _bitte a2b2c2d1 _blocked g4 _booking c2i1r3 _build q3s1 _cache s3 _call d1e1h1q2 _campaign m3 _can c1f2m1q1r1s1 _cannot e2i2j1k2n2o3p1 _card b1m4 _carrier e2m1r2 _cart m3 _channel d1f3i1r2 _check a2f1k1l2m2 _claim m3 _cloudflare g3p2 _code b2f2g1j1l2o1r1s2 _command d1g2p1 _completion k3 _connect d3 _connected s4 _connection e1p2s3 _container i3m1p1 _content a1g3n1 _context d1j2q3r1 _conversation i2j3 _could e3h2i2l3 _credits b3 _csv l4 _curl e3i1k1r1 _daily b3 _database c1f1o1r3 _deadline d3 _delivery m3 _deployment c2h2 _did s3 _disk b1p4 _do i2m1r2 _docker a1e1g1o1 _domain m2 _done s4 _driver m4 _duplicate o3 _e e1f1i1o2 _empty k3 _enoent i3 _err e2o3 _erreur r3s3 _error a1b1c1d1f1i1l1m1o1p1r1s1 _exceeded b3 _exception p1s3 _execution o2q2 _exit d2q3 _expected j1k2m1o2 _fail o4 _failed a1f1l5o2s3 _fatal d1e2f1i2p1q2 _ffmpeg o3 _field m3 _file i2j1m1o2 _finish j1k2l2 _found o2 _function c2d2o3 _gemini b1c2k3n2 _get h4s2 _git g2o3 _go b1g1i1o4 _google b2f1n1 _http c3d2f1h1i1r3 _httpx e3 _image i2m1n3 _info s3 _input j2m2n3 _insufficient b3g3 _internal r4 _invalid f3h1l3m2 _invoice i2m2s1 _java d1e1p1q2r2 _job o2q1s2 _json l3m1 _jwt f4 _key b1g2i4s2 _killed d2p3 _label m4 _limit b3m2 _line e1o1s3 _link e2g2i2 _litellm b2c2e1f1h1j1n1 _llm d2h1k2l2 _log f3 _machine m1p3q2 _make h2o4 _max a2b2d1j2 _maximum a1b1c1j1p2 _may a2k1 _mcp d1m1o4q1r1 _memory p2s1 _message i1j1n3 _messages m4 _missing f3g1l1m1 _model a1c3h1k3l3n1s1 _modele h4k3 _modell h3k4 _models h3l2 _mongo m3p1 _monthly b3 _name e2m1s3 _nao p3s2 _nie e2f2i3 _no b3c2e2f2h2i4k1l1p2r1s2 _node c3k2p2 _none d1s3 _not b3f2g3s2 _nothing i3o1 _npm f1g1i2o1p1s1 _null m1s3 _object i3o2s1 _only g3m1 _oops r3s2 _openai a1d1h1 _operation d2i1m1q4 _organization b2g3 _output k2l1n2 _page i2m2s2 _panic d1s3 _parcel i3m1 _path g3m1 _patient i2m2 _payment b2m2r2s1 _permission g3 _pickup i2m2 _plan b2 _playwright d1o3 _plugin o3 _policy g2m3 _pre b3o2 _prescription m3 _process o2q1s3 _prompt j2n5 _provider h1k1r3 _query d1m3s1 _queue c1i2p2 _rate d2m3s3 _read d2e2o2s1 _received k2m2q2 _record g3i3 _redis c3o1 _remote e2g3i2r2 _request a2b1c1d1g3j1n1s2 _requested g1h2i1 _requests a2d1 _reservation c3m2 _resource a2g1h1i3 _response d3k2n2 _respuesta k3l1n1 _retry a2h2s2 _room m3 _rpc e2q1 _run f1i1m1q2s1 _saved s3 _seat d3g1m1 _see o1r2s2 _server c4f1s2 _service c2o1r1 _servidor c3 _session b1e1f2i1m2 _something r1s4 _sorry g2r2 _start j1m3 _status a1e1g1l1m1q2r1s2 _stop n3s2 _storage b3m2 _stream c1e2k2l1q2 _subscription b4m1 _sudo g3 _symbol i2m2 _syntax o2 _system c2e1l2p2q2s3 _table i1m3 _tar o3 _task d2m1q2s1 _tempo d4 _terminated d1e2q2 _terraform o4 _test o2s2 _there h2i4o1 _ticket i2m3 _token b1f2j2s4 _too a1c2j2o2 _tool d1i1j1k2l2o1q2 _transaction m2r3 _trial b3 _try a2c1d1e1j1n1r1 _two f2g2 _type d1e1k2s2 _unable c1e1i1l3o3 _undefined o2s2 _unexpected l2r3s2 _unhandled r2s3 _unknown h3i1m1o1r1s1 _unsupported h2m3 _upgrade b3 _upstream c3d1r3 _use f3j1m2 _used b3 _user a2f2g2i1q2s2 _value h2j1k3m2n1s1 _wait a2d2 _waiting d3e2 _write c4e1 _xml l4 _yaml l3o1 _zero i3s3 _zsh l2o1 _запрос n3q2 _не l2m2p2 _превышена b3j2
abgebrochen q4
abgelehnt e2m3
abort d2q4 _error d2q3
aborted d1e2m1q5
about c2o1r1
above a1g2j1m2o1r2
acceso f3g2
access b3c3d1f2g4r2 _@ d2e2h1i2 _denied a1b2f1g2 _model g4
accommodation i2m2
account a1b4f4g2i1m2 _# i3m1 _balance b3
acme f3h4m1
acquirer m2r2
action f1g5l2
active f3k1m2
actual o5
add a1b2g2m1o1
added b3s2
address a1e1g1m3
adds o3 _tax o3
administrator f1g5q2
after a1d3e2f1k2l2m2s2 _# a2c1d1f2k1s4 _@ d3k1o1 _end e3m2
again a3c2e1f3l1m1 _later a1c1r1
against m1n4
age m3
agent b1d2k2l1o2q2r2
agents c2g3
ai a1b1c3f2k2n2 _api b1m2r1
air h4
all b3c4g1k1r2s1
allocate p5 _# p3
allowed d2j2l1m1o1
allows b4j1
already f1m6o2p2
always o3
amount l2m4
and c1d1f2h1j1l2m1n1p1 _@ j1m2 _cannot l3 _not h1n3o2 _try i1l2m1
anforderung d5
another b1c1g2m2o1
answer f3k5l2n3q2r2
answered l4
any i2k2m1
api a4b3d1e1f6g2h2k1l1r1 _call a1b1m1p1r1 _connection e3 _error a1c2e1g1h1j1n2r1 _key b1f4g2
app g2o3p2
appears n3p2
applicant m3
application a1f3m2q2r1
apply g1o2s2
appointment m4
archive o3
argument e1m4 _@ i1m4
arguments l3o3
array m4s2
arrival m4
as e1l2m1n1o1s1
assert o5
assertion o3s1 _error o2s1
asset m3o1
assignment m1o3s2
assistant k4s2 _message k3m1
async o2s2
asyncio d1q3
attempt g2r2s3
attempts a2d1f2s2
auf b2p3
auth f6g1s2
authenticate f3
authentication f6s2 _failed f4 _required f4
authorization f3g1
available c3e3h1j2o1p5
awk o3
aws f3g1h1m3
azure f2h1n1
b e2j1o1p2s3
back k3l1o2r2 _off c1o4
backend c2e3p1r3s2
bad f2i2l2m1o1p2r2 _gateway r3 _request f2h1j1m4
badge i3m1
balance b5m1 _too b3
bank d2e2f1l1m2
base e3h1q2
bash d1g1o3p1 _@ g1o1p2
batch c2e1i1m1
because d1i1n2o2q2r1s1 _status m4
before a1d2f2g1m1o2q2
below b2m1o2
benutzer q4
between f2i2m2
billing b5g1i1
bind f2o2
bitte a2b2c2d1
blank k5m1
block l1m4n1s1
blocked b1g3m1n5 _due a2n2
blocks k2m4
bloqueada n4 _por n4
body e2g2k3m1
booking c2d2i3m1r2
bookings a2m2
both m4
branch g4i1 _named o3
branches g2o4
broke c1e2r2
broken e5
browser e2o3
bucket g2i3o1
budget a1b6d1s2
buffer c3p3
build b2o4q3 _error o4 _failed o4
busy c7
but k2l1o3 _found l3m2
buy b4
bytes l2o1p2
c o3q4
cache j3s3
calendar g3i2
call b1c1d1g3h1k1l1o1p1q2 _error b1f2m2r1 _failed a1d2e1f2h1
called h2i1o4
caller g3q2
calling a3c1f1g1h1i1
calls a2b2k1m2 _per a3
came g3k3
campaign m3
can a1g4m1q1 _no m3 _only b1m2o1
canceled d1m1q6
cancelled b1q8 _cancelled q3 _error q3 _user q3
candidate n3o1
cannot f1g2i1l2m2 _access g1i3s2 _allocate p3 _connect e3 _find i3o2 _open g2o4
cant b1l3n3o2p3
cap b5
capacity c6
card b1e1m2o2
cardholder m4
carrier d2e3m1r2
cart i2m1o3s1
case m4
caused e3f1i1s2
cert e3
certificate e7m2
change g3i2
changed e1f2m2o1s1
changes m1o4
channel d1f2g2h3i3r1
character b1i2l5m1
characters k2l1m1o2
charge m3
chart g3i2
chat f1g2h2j1
check a1b1d2l1m2o2 _failed d1m2o2
checks n1s3
checksum m3o2
child m3o2
choices k4
claim f2m2
class m2o3s2
claude b1g1h2k3n1 _# h2m1
cli f2o1
client a1d2e2f1g1i1q5
close e5g1
closed c1e4m3q3r1 _before e4
closing e2l3o1q1 _tag l1o3
cloudflare a1d1g3p2r2
cluster c5
code a1b1d1f1h1i1k1n1q1r2 _!400 j1l1m1n3 _!401 f4 _!403 g2n1 _!429 a3 _# c2h1l1o1q2r1 _@ f1i1m3r1 _insufficient b3 _invalid b1f1j2 _no a2f2
collection i4 _@ i4
column i1l3m3 _# l3 _@ i1m4
come a2j2m2
comes m3
command d1g1o3p1q4 _failed o3 _not o3p2
commit o3q2
company m4
compilation m1o3 _error m2o2
compile o4
complete g2m1p2q2r1s1
completed k2o4s2
completion e1j2k5l1
con e4i1
concurrent a3c2q3r2
condition o2r2
config f3g2m1o1s2
configured f3m1o2p1
conflict m1o5
connect c1d4e4f1g1 _econnrefused e3
connected f3s4
connection d1e5f1p3q2 _closed e2o1 _error d1e4 _established s3 _pool d1p3 _reset e3 _timed d3p1
connections p5
constraint m6
contact g1i2r2 _support g2r2
contain n4o2
contained k3
container c2i1o2p4
contains h1l2m3n3
content a1g1k3n6r1
context d1i1j6o2q2r1 _@ i3j1 _canceled q3 _deadline d2 _length j2 _window j3
contexto j5
continue b2f2j2
contract i2m4
control a3g1o2
conversation i1j4 _too j3
core b2e1l1m1o2r2 _dumped o4
correct h2o2
cost a2b1m3
could d1e4f2h1i1l3o1p1r1 _not d1e2f2h1i1l3o2p1r1
couldnt i3o1
count j2m1o1 _# j3
country g3m3
coverage o5
crashed o4r4
create b2g2m2o2p2
creating b1n1o2r3
credentials f8
credit b2m2
credits b6m1
cross g4m2
csv l4
curl e1i1k1o1 _# e1i1k1
current b3f2m2o1
currently c4d2
customer g3i2m1s2
cycle b3o3
daemon a1e1g2i2o1
daily b3m2
data b2e3g3l3n2p2
database c3f1g2i4r2s1 _@ f2i2
date l2m5o1 _# m2o2
davinci b1h3 _# b1h3
day a1b1l2m5
days b2m2
db c2d2i2
deadline d5m3 _exceeded d3
deadlock r5
debug s3
declaration l1m2
declined m3n3
decode j2l6
default b1f2h2i1o1s1
defined m2o2
definition o4
delai d5
deleted i5o2
delivery m5
demand c2h1
denegado g4
denied a1b1f2g5q1 _publickey f4
depasse b2d4j3
dependencies o5
dependency o3
depends i2m1o3
deploy g2o3
deployment b1c2h5q1 _@ h3o1 _not h4
deprecated h3s3
desc f2g2q1
details b1d1f1q1s3
detected g1n5r3
dev d2i3
device f3p3
did d3i2k2l2s1 _not d3i1k2l2o1s2
died o5
diff o4
differ m3o3
different c2m2n2
digits m4 _# m3
directory f2g2i1 _@ i3o1
disabled f1g5
disconnected e5f2l1 _before e2l2r1
disk o2p5 _quota p3
dns e4m2
do a1f1g3h1r3s1 _not c1f2g1h1i1m2
docker a1e1g1o1
docstring o3
document g2j3l3o2
does f1g1h1i1m1o1 _not f1g1h1i1m1o1
domain m3
done m3s3
dont g2o3
down a2c3e2h2q2r2
driver o4
dropped c2e2i3
due a1b1d2n2q3r2
dumped o4
duplicate m4o1 _key m3
during c2d1e3p1
e b2e1i1m2o2r2
eacces g4
econnrefused e3 _@ e3
econnreset e4
edit i1n1o1q1 _not i3o1
either m1o1s2
element l2o5
else m3
email m5n1
empty k7m3 _input o4 _response k4
en f3l2p3
encountered p1r3
end e2h1l3s2
ended b2f2k3o1q1 _# m3 _without k2o2
endpoint a3b3d1h2i1r1
endpoints - _found h4
engine c2h3r2
enoent i3o2
enospc p4
entered f3i1
entity h1i2m4
entry f1l2m2o3s1
environment f2i1o4 _variable f3i2
eof e5l3
equal m2o1s1
err d3e3i1o2
erreur r3s3
errno e3g2 _# e3g2
error d1e1l1o1p1r2s2 _!401 f4 _!403 b1g3 _!404 h1i3 _!429 a3 _!500 r4 _# a1b3e1f1g1i1j1l1m1p3q1 _@ c1e1f2g1l2o2 _cannot i2o2s2 _code c1d2f2g1n2q1r2 _column m3 _connect d3e2 _connection c2d1f2 _could i2r3 _err o4 _errno g2o2p1 _error b1e1h2m4o1r1 _expected e2m2o1s2 _extra b2o2 _failed e3o2 _from b1d1g2i3r1 _invalid l1m2n1s1 _model h2r1 _msg a1d1e2i2 _must f3g3 _near l3 _no c1d1f2i1k3l1o1s1 _not i2o1 _object s3 _occurred b1c1f1h1i1l1r2s2 _relation i3m1 _request a2b2g1h1q3 _resource a2m2 _response a1e2g1i2o1 _server c2e1k1 _undefined s2 _unexpected e2o3 _unknown e2m2o3p1 _upgrade d2i3 _while e1i2o1r2
errors d1e3i2l2s2 _found s4
es a2b2c3d1o1p1
esockettimedout d5
espera d4
esta c3
established s3
event g1l3m4
example c1o1r3
exceed j2m1
exceeded a4b3d4j2p3 _# a2d2j2
exceeds a1b3j3m3 _maximum j2
exception a3c1d1g1h1j1l2p1q2r2s1 _@ a3c2e2i1
exceptions a2b2d3e2f1i1m2q1r2
exchange m3
executable o4
execute o4
execution c1d2o4q2
exhausted a4b3p3r3
exist i4o1 _@ h1i2
existing m3
exists i1m2n2o1
exit d1o3p1q2 _code d1o2p1q3 _status o5
exited b1o4p1 _with o3p1
exiting o4q2
expect c2o4
expected k2l4o2s1 _# o2s3 _@ m3o2
experiencing c3 _high c3
expired b3d2e2f4m1
export g3m1o1q2
expression l1o3
external g2o3
extra b2o2
fail e2o3 _@ o3
failed e2f1h1j1l2o3p1r1 _# o4 _@ d2e1f2g2m1 _connect e3 _fetch e3f1 _parse l1m2 _process r4 _start o4 _user f3 _with a1f1o2
failing o4
fails m4
failure e2f1m2o2
false a2f2m1 _@ a1f1g1i2r1
fast a1o2 _forward o3
fatal c1f2i1o1p1q2s1 _authentication f3 _branch o3 _cannot o3 _error o3s3
feature b2i1o1
fehler e1s4
fehlgeschlagen f3o2s3
fetch d1e5m1
few a2e1o1
ffmpeg o3
field m5 _@ l2m3
file g3h2i2l1o3p3 _@ i1m1o2 _exists o4 _or i1o1
files g1i1o2p2s2
filter m2n3
find e1i4j2o2 _@ o4 _module i3 _name o4
finish j1k1l2n2p1 _reason j1k2l2n2
finished b1k2q2s4 _# s3 _with k1o3
first e2h2m5o2
fits j4
fix e2o3s3
flagged n4
flight a2c2m3
flood a3m1
following d1m1o4
foo m2o4s1
forbidden b2g5
form l3m1
format l4m4o3
forward o3
found f2h2i2l3o2 _# o4s1 _@ f3i1 _error h2i3
frame e1l3o2
free b5h2p1
freight f3m2
from a1d1g2k3l1m1o1r2 _@ a1g3o3 _daemon a1g1i2o1 _model k3 _server b1d1e2g2i3k1r1
full b1c4j2m3p3
function c2d3e1l1o2r2s1 _@ m1o3 _call l2m2
funds b4
gateway d2e3f1h1r4
gave d3k3 _no d2k3
gefunden h2i3o1
gem o3 _@ o3
gemini c1k3l2n1
generated k3l3n3
generation n2o2
get a2e1f1h2i1o1 _@ a2i1o2s2
getaddrinfo e7
gi j2p2 _b j2p2
git f2g1i3
given f1j2o1s3
go f1l1n1o2
gone b2e1i6
google b1f4n1
got f1j1k3m3 _# m2o2
gpt f2g1h3 _# g2h2
gpu c1o2p3
grant f2g2
greater m3o1 _than m3
group g3i4q1
guests g4
guidelines n4
handler r4
hat k4s3
head g1i2m1o1
header f3l4r2
healthy - _upstream c3
help n3r1 _with n3
here h1i3l2m2p2
high c3m1n1 _demand c3
hit a3b1r4s1
holiday m4
hook m1o4
host d1e6g1h1 _@ d2e1f2
hostname e4
hour a3d2
hours m4
http a1b1c2d2g1o1r4 _!400 f1g2h2j1 _!401 f3 _!404 i4 _!429 a2b3 _error g2i2
iban m4
id f2g1h1i2m1r1s1 _# e1f2i2m1r2s1 _@ d2h1k1m1p1r1
identifier f2h3
if i1q2r1
illegal o2s2
im l2n4
image l1m3n3o3
immediately m4
import i1l2o3p2
imported o3
inactive d1f3m3
included b3f3o1
incomplete l2m3
inconsistent o4
incorrect f4m3
index e2k2l3m1s2 _out k2o1s2
info o1r2s4
init o3
input j4l2m1n4 _length j3
install o5
instance c4h2m1
instrument m3
insufficient b4c1g2p5r2 _balance b3 _funds b4
int o2s2
integer m6
integration f3g3
interface e3g2o1
internal e1r6 _error e2r3 _server r3
interner r3 _serverfehler r3
interno r5
interpreter o4
interrupt q4
interrupted q5 _user q3
into g1j3l2
invalid f3h2j1l3m1n1o1r1 _@ l4m3 _api f3 _input o1s2 _model h4m1 _parameter j2m1n1 _request b1m2n2 _response e2r3 _type m6 _value f1m4
invoice i2m3s1
invoices b2g2i3
ip e1g4
issue m2r2s2
issuer e1m3
item d1f2i1j2m4
items m3
itself m3
java d1e1i1p1q2r2s1 _lang i1p1r2s2
job c2d2o2q3
jobs a2c4
json l9m3s1 _position l2
jwt f4
kernel o4p1
key b3f4m3s2 _@ b3i3m1o2 _error i2s3 _not f1s3
killed d3p5
kind b1e1m3n1
know i4o1
label b1r2s1
lacks g4m3
laden b3s3
lang i1p1r2s2
large f2h2j2k1p2
larger - _than j1m3
last a2e2h1k1m3n1p1
later a1c3r1
ld o3
least j1k2m2 _one j1k2m1
leave m4
left b4j1m1p3 _device p4
length e2j5k1o1s1 _# j3
less m1o2p1 _than m1o2p1
level d1e1g3i1r2
limit a4b4c1d2j2p2s1 _# a2b1c2j3s2 _error b2 _exceeded a4b3 _reached b2j2m1
limite a3d2
limited a4b1g3k1
line l4m2o1s1 _# l3m1s1
lines c1o3
link e3f3g1i2
list f1g3k2m2o1
listening s5
litellm a1b1c2e1f1h1j1n1
llama c1j2k1p2s1
llm a2d1h1i1k4l3
load c5d1o1p2s1 _model o2p3
loaded g2s5
loading c5
local e1q1s3
localhost e3
locally o3q2
locate f2i2o1
location g3i2l2
locator i2o2
lock c2d4o2r2
locked c3f2m3
log e1f4
logged f4s3
login f6
long b1d3j3m2o1
longer d2j2m1 _fits j4 _than d2j2m1
lookup e4i1o1
lost e3m1p1
lot m5
low b2m1p2
machine e1m3p2q2
made a1e1m3n2
main e1f1g1m2o1
maintenance c5r1
make b2d2g1h2o1 _sure b2h2j1
malformed f3l4o1
managed o3
managers g4
mandate i1m3
manual l2s3
many a2c1j1m1o1p2s1 _open p3 _requests a2c1
map m2s3
mapping l3m3
match d2i2m2o1 _pattern m3
matches i3m1o3
material m2n3
max a2b3j3m2p1s1
maximale j5
maximum d1j3m1p1s3 _# a2m3 _length j3 _number b2j1p1
may a3g2i1m1n2p1 _not g3m1o1
mb m3p2s2
mcp o2q1s2 _error d1i1m2q2r1 _server e2o1s2
member l3m1
memory c2j1p8s3 _error p4
merge g1m1o3
message d1e1i2k2l1m2n2q1
messages a3j3k1m2s1
method b2e1o3s2
migration o3
min d1s3
mini h3j1
minimum m5
minute a4d3
minutes a2b3d2e1h1
mismatch o4
mismatched o4
missing f2g2i2l2m3o1 _required f1m3 _return o3
mkdir g2p1
mode f2m2
model c3g1h8j4k3n1p2r1s1 _@ c2g1h4 _claude h3 _config m4 _not h5
modele h4k5
modell h3k4
modelo h3j3l2
models a1h3j3k1l1r2 _context j3
moderation n4
module o3s3 _@ i3s2 _named i3 _not o2s2
mongo m3p1 _server m3p1
month b5
monthly b5
more b3c1f2g1h1i1l1p1 _than a1g2l1o1
most e1j2m2o1
moved i2m2
ms a1d2o1s3
msg a1d1e2i2
multiple c3l2
must f2g5j1m4o1
my e2m1 _sql e2m1
n i1j3m1o1p2
na b3k3
name e3i1m2o1s1 _@ o2s2 _or e3f1
named h3i1m2
namespace i1m2
nao p3s2
near l5
need b1f1g2m2
needed a1g2j1m2
needs b1g2j2m3o2
net d2e4g1
network a1e5g2i1 _problem e2s3 _unreachable e3
new b1c2e1g1h1j2n1p3q1 _api c2h1n1
newer q3
nicht e1g1h2i2p1s2 _gefunden h2i3o1
nie e2f2i3
nil e2s3
no c1e1f2h2i3k3o1p1 _access f1g3 _answer d3 _api f3 _candidates k4 _connection e2i2 _content k4 _credentials f4 _encontrado i4 _endpoints h4 _errors s4 _es e2f3l2 _existe h4i1 _healthy c3h1 _longer g2h2j3m2 _matching i1o3 _model h4 _module i4 _more a2i3 _open i3 _output k5 _pudo e2f2s3 _route e3i1 _space p4 _such h1i5m1 _tests o3 _valid f5
node c3i1k2o1p2
non b2m2o2p2
none c1i1k4n1s1 _type k3s2
not f1g2h1i3l1m2n1o1 _able c3n3 _accepted f2m3 _access g3 _accessible g2m2 _allowed g3m2p2 _answer d2m3 _applied o4 _assignable o5 _authorized f1g3 _available b3e2g1h2r2 _completed b1e2m2n2 _configured h1m2s3 _cover m4 _defined m1s5 _enough b3c1e2p3 _exist f1h3i5o1 _find h2i3l1o1 _found f1h4i6o3 _function s4 _include b1g4 _installed g2h2o1 _known e3m1 _match e1f4i2l1m2 _number m4 _offered h1m3 _parse l4 _permission g4 _permitted g5 _possible m4 _published n3 _reach e3 _ready c2d3 _resolve e2o2 _resolved e3o2 _return k3o2 _set m3s1 _signed f3m3 _sufficient b3c2 _support m3o1 _supported g3h1m3s2 _take m3 _transferred g3i2 _travel m3 _valid f4h1m3s1 _work m2s3
nothing h2i5k4o1
now c2d2o3
npm f1g1i2o1p1s1 _err g1i2 _error e1f1o3p1
null h1i1k3m1r2s2
number e1i3l2m2p2 _@ e2i4 _not m3
object a1f1g1i1k2l2s3 _@ e1i3 _file o4 _object a2s3
occupied m4
occurred f1h1i1l1r2s2 _server r3
off a2f1g3m2o1s1
offer m4
ok s5 _# o3s2
old o4
ollama h2o1s2
once a2m3o1
one a2i1j1k2m3n1
only g4k3m1o2
oom p4 _killed p3
oops r3s1
open b3f1i2m2p1 _ai a1b1e2f2h1 _files p3
openai a1f2h1
opened g2l3s2
operand o4
operation b1c1d2g3i1m1p1q3 _against m3 _not g5 _timed d4
operator o1q3
option m2o3s1
or b1c1e1f1i1j2l2o1 _after l3m1 _directory i1o1
order g1i2l1m3r1
org c1l3
organisation b1g3
organization b2g4
other e2g1i1m2p1
out a1b2d3f1g1k1m1p3s1 _after d3 _memory p5
output k2l4n3
outside f2g3m4
over b1g3j1m2o1p1
overdue m4
overlaps m4
overloaded c6 _error c4
own m3
owner g4i2m1
package b1i1o4
packages o4s3
page d1i3l2m1o1s2
paid b2o1s2
panic d1r1s3
par n4q2
para b5p3
param b1h2m1
parameter i1j2m3s2
parcel i3m2
parent m1o1p3q3
parse e1l4o1 _error e1l1o2
parsing l3m3 _error l1o3 _failed l3
parts m4
pas g3h4
pass f2h2l2o1
passed d2h2s6 _# o3
passenger m4
password a1f7g1
past b1d2m3
patch g1l2o2
path e2g2i1l1 _@ g3o1
paths o3
patient i4m2
pay i1o2s2
payload e1l3
payment b4e2m1r2s1 _required b4
payments g4r1
payroll g3
peer e2o2
pending c3g2o1
per a5d2s1 _minute a3
period b3m3
permission f1g4q2s3 _denied f2g3s1
permissions g5
permitted a3
person g3n3
phone i2m2 _number m4
pickup i2m2
pin f4
pipe e4
plan b7o2
playwright d1o2
plugin o4
pnpm o4
point o3
points h3i2m4
policy g5n4s1 _violation n3
pool c3p3
por a3e3n3
port c1d1e1f1o1s2 _# c1d1e1f1s3
position b3c1l3
post d1e1g1i2m1s1 _@ d1e1i3s1
posting a2m3
power b4
pre b2d1m2o1
premature e3l1
prepaid b4
prescription m3
previous i1m3o2
price b1m4
pricing i2r3
printer c2e3
private f2g3o1
pro b2h1k3
problem b1e2o1r2s2
problems o2r3
process c2d1o4p3r3s1 _@ o3
processes p3
processing c2j2o1r2 _request r3
processor r3
produced k3r2
profile f3h2
progress o5
project b1g5m1o1
prompt j4k1n5 _too j3
property l1m2o2s2 _@ o4s2
protected g4n1
protocol e2o3
provided f3h2m3
provider d2f4h3k2q2r3
proxy e3f2
public g1m1o3
publickey f4
pull a1g1h3o2
purchase b1m3
push g2o2r2
python o1p2
q o3
qps a4
quantity m5
query a2d1g1l2m3
queue c5i1m1p1s1 _@ i3m3
quota b7p2 _exceeded b1m1p3
quote a1l3r3
raised b2o5
ran b1d2j1m1o2 _out b2j2m2
range a2j2k1p2s3
rate a5d1k1m1s2 _limit a3m1s3 _limited a4k1
rates i3
reach e3g3m1
reached a1b4d1e2h1j1p3s1 _# a1b1d3
read a1d1e2g2k2l3s3 _econnreset e3 _only g4
reading d1k3l1m1r1s1 _@ k2s3
readonly g4
reason j1k2l2m2n4
received e1j1k3l1q4r1
recipient m4
record c2g3i3m1
records c2f2g1i1
recv f4
redis c3e1
reduce a2j3
reference i1m2o2r1s2 _@ i2o2 _error s4
refresh e1f4
refund g3
refused e1g2m1n5p1 _connection e3
refusee e4n2
refusing o4
region b1g4h2
registered h1i1m3
registry f1i3
rejected c1f2m2n3q1
rejects o4
relation i1m2 _@ i1m2
release g1i3o2
reload m3
remaining a1b2p2s3
remote e3f2g2i4r2
removed g1i5s3
replace o4
reply k2l4m1
repo g2h2i2
reponse k3l2
report g3o1r1
reported g4m2p1
repository b1g2h3i2 _@ g2i3
request a3b1c2d2f2g1j1n3q3r2 _aborted q4 _error b1h1m1n2 _exceeds b2j2 _failed i1m3r3 _id f3g1h1p1s2 _limit a3 _rate a3 _timed d2s2 _timeout d3
requested b1c1e1g1h2i2j1m1 _url g1i3r1
requests a4b1c2i1s1 _limit a3
required b3f2g4m2o1 _parameter m3
requirement i3m3 _@ i4
requires b2f2n2o1p1
reservation c3i3m1
reserved m4p2
reset a2e4k1s2
resolution e2f1m1o1
resolve e2o3 _host e3
resolved - _@ e3
resource a2g3h3i2l1m1p4 _@ g3h2l2m2 _exhausted a3 _not g2i2
resources c2f2p1r1s2
response d2e2k4l3n3r2 _body e2k2l1 _from d1g1i2o1r2
respuesta k3l3n1
restore b1s3
result d2m3o2
retired h4
retries e2o1s2
retry a2c3h1p2s2 _# a1c3s2 _after a3o1
retrying e1j1o2r1s3
return d1o4
returned a1k5n2r2 _error i1r3 _no k3
revision i4
revoked f4m2
right c2d2g2m1
role g5o3p2
room j1m3 _# p3
route - _host e3
row c3g1l1s2
rpc d1f1g2o1q1r1 _error d1f2g2q1
run c1f3j1k1o3p2q3 _@ g1i2j2o3 _failed i1k2s2 _out b2f3p3
runner p2q1s2
running a1d1e2g1o1p1q2
runtime i1o2p1 _error d1e1i2o1s2
s a2d3i3k2p1s2
safety n7
same m3o1
sandbox g3o1
saturated c5
saved f2o1s3
scanner e2l3
schema i2m4
scope g4o2q1
script d1f2o4p1 _@ o4
sdk h1o3
search a5i2o1
searches a3b4
seat b2d2g1m1
seats b3m1
second a1s3
seconds a4c1d2l1r1s3
secret f3i2o1
securite n4
security f3g1m1
see b1g1i1p1r1s1
select g3m3
selected c2f3m2
send a2e1f1g1o1
sender e2i3m1
sensitive n4
sent a3f1k1r3s2
sequence j1l3
server c3e5f2h1r4 _@ c1f3 _error f1m3p1r3 _not i4
serverfehler r3
serverless b1m3o2
service b2c4e1m1n1r4 _not e3r2 _unavailable c1r3
servidor c2e4r4 _esta c3
session b1f3i1m1s2 _@ i1s3 _id e1i1m2
sessions a3i1
set f2o1r1s4
share g1m2r2
shipment i3m1s2
shop f3m2
short a3m2n2o2
should j2m4 _less m3
show n2o2
side e2r6
sie a2b2c2d1e2
sigint q4
sign f3g2o1
signal o1p2q3
signature f6m1 _does f3
signed e4f2
sigterm q4
size j3m4p3s1 _# j2m1p2s2
skipped m1q2s2
sku b1i2m4r1 _# i3m1r1
slot c3j2m2s2
slots c3p2
slow a3c1n1 _down a3
snapshot i2m1o3
socket d1e5g2
sold m5
solicitudes a5
some e2h1i1p1
someone m3 _else m3
something r3s4 _went r3
sorry f1g1l2n1p3r2
source d1e1o3
space b4m1p3 _left p4
spawn e2o3
specified b1h1i1j1o1r2s1
speicherplatz p4 _auf p4
sql e2m2o1r1 _server e2m1
sse e1l4
ssh d2e2f1o1
ssl e5
stack i1m2p2r3
stage m2o3p1
staging f3s3
stale m1o3
start l3m2p3
starting c4o1
stat i3 _@ i3
state m2p1s2
statement d3l2q2r1
status a2g1k1m1r2s1 _# k2o3s2 _@ a1f1o1q2r2 _code a2i1m1q1r2s1
std p4
step d2o3q2 _# m2q2
still c2d3j2m1o1
stop k3n1q3s2
stopped d2j1l1n2q5s1
storage b3p2r3
stream c1e3k4l1q2 _disconnected e2l2r1
string j1k1l4o1q1 _@ l3m2 _does m3
sub g2o3
subcommand o4
subject m2o2
subscription b4m1
succeeded m1r2s3
successfully o4
such - _file i1o1
sudo g3o1
sum m4
superseded q5
supplied m3
support g2h1r2
sure b2h2j1l1
suspended b3m1
symbol i1m1o2
syntax l3m1o1 _error l2o2
system c5g2i1l1n1p3q1s2
tab i3q2
table g3i5l2m1
tag l2o3
take c3
taken m4
takes j1m5
tar o3p1
tarde a3r2
tarea i1s3
target e3o3
task c3d1m1o2q3
tasks m3q2
tax i1m1n1o3
tcp e5
team b3i3o2
temperature m4
template i3m1
tempo d4
temporarily a2c2p3r1 _unavailable p3r1
terminal d1e4o4
terminated d1e2p3q3
terraform f2o4
test m3o4
testing o4
tests o4s2 _failed o2
text f1h2k3l1m1n1o1s1
than a2d1g2j2l1m3 _# a1d1g2m1 _@ d2m2 _max m4
there e2h2i3p1 _no e2h2i1
thread o1p4
throttled a6
through f2m1r1s2
throughput a4h2
thrown o4r1
ticket f3i2m2
tiempo d4
tier b2c2m1
time a2d6f2m2 _exceeded d3 _limit d3
timed d4o1p1 _out d4o1p1
timeout d8s3 _# o1s3 _@ d2p1 _error d5
times a2k1m1o2
tls e3
today m4
token a1b3f6j1k1l3s2 _# a2o1s3 _expired f3 _revoked f3
tokens a1j6k2o1s1
toml l3
too a3c1j3m1p4 _large f2j3p2 _long d3j3o1 _low b2m2 _many a2c1j1o1p2s1 _short m5
took a1d4s2 _too d3
tool d2j1k2l1o4q1 _@ a1g2o4 _call i2k2l1q2 _calls k1m3s2 _use i2j1m3q2
tools d1e1m1o1s2
top b1m3p1
topic e2i2n4
total j1m2o1p2
tr e2m2o1
trace o2r3
tracking i4
traffic c3
trailing l4
transaction d1m2r3
transport e4m2
travel m3
treated o3 _as o3
tree i1l1o3
trial b4
tried a2m2o2p1
true e2n1o2p1
try a2c2e2h1i1j1l1n1 _again a1c2e1l1r1
trying a1e1f1g1h1i2
turn k2q2s2
two b1f1g2i1m2
type d1e1g1k1m3o1s2 _@ l1o5 _error d1e3k2s2
types f1h1n1o3
ulimit p3
unable c2d1e4f1i2l2n1 _find e1o3 _locate f2i2
unauthorized f6
unavailable c2o1p3r5
und d3m1
undefined i1k2o2s4 _not s4
under c4i4
unexpected e1k1l3o2r3 _end l4 _error i1r2s2 _token l2o2
unexpectedly e3o3
unhandled r3s3 _exception r3s2
unique m4
unknown e1h2i6l1o1 _argument m4 _error b1p1r2s3 _tool o4
unpaid b3m2
unreachable c3e6
unrecognized l1o3
unsubscribed m4
unsupported h1m3o1
unterminated l4o1
until a1b1c1e1j1m1r2
up b2c4d2e4o1
update e1f1g2i1m1r3
upgrade b3d2i3 _failed d2i3
upload n2o2
upstream a1c3d2r4
url a2d4e2h1i2m1s1 _@ a2d2e3h1s2
usage b4n3p2s2 _limit b3
usd b4
use b2c2f1g2m1o3q1 _@ o3 _error i2j2o1
used a2b3f4m2p3 _up b2m2
user a1b1f3g2i3n1q6s2 _# g2i2s2 _@ f4g1n3 _not f3g1i1
username f3
users b3g2i3l2q2
using b1f3o2s2
usuario q3s2
valid e4f1m3n1 _json m3
validation h2j3m4 _error j2m4
value j1k2l2m3o2 _@ m3o1 _error h2j1k3n1s1 _type o3
values l1m2s2
variable f2i1m1s3 _@ m1s4
verbindung e3
verification e2f1m2 _failed e2f1m2
verify e3g2
version e2h2m3o2 _@ e2h2m1o1
versions o4
verweigert g5
view f1g2i1o2 _does i2o2
violates g2m2n1
violation e1n3o1s3
vllm c2h2r2
volume i1m1o2p3
vom e2n4q2
wait a4c2d2q1 _# a3
waiting c4d2e1o1
want i2q2
wanted o3
warehouse e2m3
warn a2f2s1
warning o3p1s3
warnings o3s4
web c2e1i3l2m1
weight m4
went m1r2s2 _wrong r3
werden e2o3
wether o4
what m2q1
when b1c1f1g1h1i1m1o2 _calling b1c1f1g1h1i2m1
where l2r2s2
which h1j1n2o3
while e1g1j1k1l1m1o1r4 _processing j2r2 _reading d1k2l1r2
whisper h4r2
whitespace k4
will b2g4s4
window f3j4m1s1
with i2j1k3l1m1n2r1 _# o2s2 _@ a2m1o3 _code i2o4 _error f2o2p1r1 _id h1i3r2 _request f1n3 _status a1d1i1k2o1
within d4m1o2p1 _# d5
without d2e1k3m1s1 _any k2s2
word g1o4
work m3
worker a1c2d1p2r3
workers c3q1
workflow f2q3
working m1o3
workspace b3g3o1
would n2o3
write c2e3f1g5p4
wrong e2f6m1r2 _format m4
x a1h1i1o2
xml l6
yaml l4m1
yarn o3
yesterday m3
yet c2g1o3
z e3
zero c1e1i2k3s2
zone c3m3
zsh l2o1
длина j4
запрос n3q2
запросов a4
ключ f3
контекста j4
модели j3k3
наиден i4
не h3i3l1m1p1 _наиден i4
недостаточно p3 _памяти p3
ответ k3l2
ошибка a1e3r4
памяти p3
позже a2c2r3
пользователем q5
попробуите a3c2 _позже a2c3
превышена b3j2
`,
};
