import { MAX_CHARS, SERVICE_SIGNS } from '../classify/service-words.js';
import type { RootCause } from '../contract/pattern.js';

/** Cause of a failure according to one text. */
export interface CauseInWords {
  readonly cause: Exclude<RootCause, 'undetermined'>;
  /** Matching words, as they appear in the text. */
  readonly words: string;
}

type Sign = readonly [cause: CauseInWords['cause'], weight: number, pattern: RegExp];

const NEGATED = "(?:not|n['’]t|never|no longer)";

/** Phrases that indicate why an agent failed. Weight 2 decides alone; 1 counts only if nothing else matches. */
const SIGNS: readonly Sign[] = [
  // The agent lost information it had.
  ['context_loss', 2, /\b(?:forgot|forgets|forgotten)\b(?! to\b)/i],
  [
    'context_loss',
    3,
    /\b(?:lost|losing|loses) (?:all |its |the |any )?(?:track|context|history|memory|list|state|thread|sight)\b/i,
  ],
  ['context_loss', 2, new RegExp(String.raw`\b${NEGATED} (?:remember|recall|know(?:n|s)? which|knew|have)\b.*`, 'i')],
  [
    'context_loss',
    3,
    /\b(?:after|since|by|during|because of|when) (?:a |the |its |being )?(?:compact\w+|summari[sz]\w+|truncat\w+|(?:session|context) (?:was |had been )?(?:re\w+))/i,
  ],
  [
    'context_loss',
    3,
    /\b(?:history|context|conversation|transcript|memory|summary|messages?) (?:was|were|had been|has been|got|is|dropped|lost|omitted|left out) ?(?:truncat\w+|compact\w+|summari[sz]\w+|cut\b|clear\w*|drop\w*|lost|gone|reset|the|evicted|pruned)/i,
  ],
  ['context_loss', 3, /\bask(?:s|ed)? (?:[\w'’]+ ){0,7}(?:again|twice|once more)\b|\bre-?asked\b/i],
  [
    'context_loss',
    4,
    /\b(?:ignor|forg|miss|dropp?|los|overlook|disregard)\w*\b.{1,60}\b(?:from|at|in|since) (?:the )?(?:very )?(?:beginning|start|first|top|opening)\b|\b(?:time|times) (?:\w+ ){0,3}(?:that )?i (?:have to |had to |must )?(?:tell|told|explain(?:ed)?|say|said|give|gave|remind(?:ed)?)\b/i,
  ],
  [
    'context_loss',
    3,
    /\b(?:already|previously|earlier) (?:\w+ )?(?:answered|given|told|said|stated|provided|agreed|decided|mentioned|supplied)\b|\b(?:was|were|had been) (?:\w+ )?(?:given|told|stated|provided|mentioned) (?:\w+ ){0,3}(?:before|at the start|earlier|above|at the beginning|two turns)/i,
  ],
  [
    'context_loss',
    1,
    /\b(?:earlier|previous) (?:decision|turn|message|step|conversation|instruction|plan|session)\b|\bturns? (?:ago|before)\b/i,
  ],
  [
    'context_loss',
    2,
    /\bas if (?:we|nothing|it|the user) (?:had )?(?:never|not|\w+n['’]t)\b|\bstarted (?:over|from scratch|again from)\b/i,
  ],
  ['context_loss', 2, /\b(?:sub-?agent|worker|helper)\b.*\b(?:never|not) (?:told|given|passed|informed)\b/i],

  [
    'context_loss',
    2,
    /\b(?:second|third|fourth) time\b|\bno longer in (?:the |its )?(?:prompt|context|memory|window)\b|\b(?:in|from) its (?:memory|notes)\b|\bwithout the notes\b/i,
  ],
  [
    'context_loss',
    3,
    /\b(?:context|window|session|conversation) (?:\w+ )?(?:rolled over|restarted|reset|expired|overflowed)\b.{0,40}\b(?:lost|gone|ignored|forgot|missing)\b|\b(?:ignored|lost|forgot)\b.{0,60}\bafter the (?:context|window|session|conversation)\b/i,
  ],
  ['context_loss', 2, /\b(?:that|which|although|though) we (?:had )?(?:already )?(?:\w+ed|agreed|chose|said|set)\b/i],
  [
    'context_loss',
    3,
    /\b(?:have|had|need(?:ed)?) to (?:repeat|re-?explain|re-?state|remind|say (?:it|this|that) again|tell it again)\b|\b(?:every|each) (?:single )?(?:time|message|session|turn|morning)\b.{0,40}\b(?:again|anew|from (?:zero|scratch))?|\b(?:starts?|began|begins) (?:again |anew |over )?(?:from|at) (?:zero|scratch|the beginning)\b/i,
  ],
  [
    'context_loss',
    3,
    /\basked? (?:\w+ ){0,2}for .{1,40}\b(?:three|four|five|several|many|\d+) times\b|\b(?:everything|all|what) (?:that )?(?:we|i) (?:had )?(?:agreed|decided|said|discussed|set up|wrote)\b.{0,20}\b(?:gone|lost|missing|forgotten)\b/i,
  ],
  [
    'context_loss',
    4,
    /\b(?:gone|missing|lost|dropped|fell out|disappeared) (?:from|of|out of) (?:its|the) (?:window|context|memory|history|prompt)\b|\bnever (?:received|got|saw|was given|was handed|were given) (?:the |its |any )?(?:[\w'’]+ ){0,3}(?:notes?|findings?|results?|output|plan|list|summary|messages?)\b/i,
  ],
  [
    'context_loss',
    4,
    /\bas (?:if|though)\b.{1,60}\b(?:messages?|conversation|chat|history|turns?)\b|\b(?:did|does|do)(?: not|n['’]t) reach (?:the|its|our) (?:\w+ ){0,2}(?:agent|writer|reviewer|planner|worker|coder|step|next)\b/i,
  ],
  ['context_loss', 3, /\bforgetting\b|\bforgetful\b|\bamnesia\b|\bout of (?:its |the )?(?:memory|context|window)\b/i],
  ['context_loss', 3, /\bno longer (?:had|has|has access to|aware|remembers?|refers?|saw|sees)\b/i],
  [
    'context_loss',
    3,
    /\b(?:repeat(?:s|ed)?|redid|redoes|did|does) (?:the |its |a )?(?:\w+ )?(?:work|steps?|question|task|analysis|search)\b.{0,40}\b(?:already|again|finished|this morning|yesterday|earlier|before)\b/i,
  ],
  [
    'context_loss',
    3,
    /\b(?:we|i|they|she|he|user|customer) (?:had )?(?:agreed|settled|decided|told|mentioned|said|gave|wrote|explained|corrected|confirmed|listed)\b.{1,60}\b(?:(?:an?|two|three|five|ten|few) (?:hours?|minutes?|messages?|turns?|days?) (?:ago|before|earlier)|earlier|yesterday|this morning|already|at the (?:top|start|beginning)|in (?:my|the|her|his) first)\b/i,
  ],
  [
    'context_loss',
    3,
    /\b(?:dropped|loses?|lost|ignored|missing|gone)\b.{0,50}\b(?:first|earlier|previous|opening|initial) (?:message|prompt|turn|instruction|request)\b|\b(?:halfway|half way|midway|part way) through\b/i,
  ],
  [
    'context_loss',
    3,
    /\b(?:did|does|do|was|were)(?:n['’]t| not) (?:carry|pass(?:ed)?|hand(?:ed)?|transfer(?:red)?|forward(?:ed)?|get|receive|given|keep)\b.{0,60}\b(?:over|from|between|findings?|notes?|results?|context|next|first|step)\b/i,
  ],
  [
    'context_loss',
    3,
    /\b(?:wiped|erased|cleared|overwrote|discarded) (?:its|the|his|her) (?:own )?(?:notes?|memory|context|history|plan)\b/i,
  ],
  // The request was ambiguous.
  [
    'instruction_ambiguity',
    3,
    /\b(?:ambiguous|ambiguity|vague(?:ly)?|unclear|under-?specified|unspecified|undefined requirements?|open to interpretation)\b/i,
  ],
  [
    'instruction_ambiguity',
    3,
    /\b(?:contradict\w*|conflict(?:s|ed|ing)?|incompatible|inconsistent)\b.{0,40}\b(?:instructions?|requirements?|rules?|guide|task|request|each other|prompt)\b|\b(?:instructions?|requirements?|rules?|guide|task|request|prompt)\b.{0,40}\b(?:contradict\w*|conflict(?:s|ed|ing)?)\b|\bcontradictory\b/i,
  ],
  [
    'instruction_ambiguity',
    3,
    new RegExp(
      String.raw`\b(?:did|does|do|was|were|is|are)(?: ${NEGATED}|n['’]t) (?:say|tell|state|specif\w+|mention\w*|define\w*|explain)\b`,
      'i',
    ),
  ],
  [
    'instruction_ambiguity',
    3,
    /\bcould (?:be read|mean|be understood|refer)\b|\b(?:two|several|three|many|possible) (?:readings|meanings|interpretations|ways to read|possible \w+)\b/i,
  ],
  [
    'instruction_ambiguity',
    3,
    /\b(?:no|without) (?:\w+ )?(?:deadline|length|format|definition|limit|unit|criteria|scope|audience)s? (?:was|were|is|are|being)? ?(?:given|stated|set|specified|provided|defined)|\bwithout saying (?:which|what|how|when|who)\b/i,
  ],
  ['instruction_ambiguity', 2, /\b(?:asks?|says?|wants|demands)\b.{1,60}\b(?:but also|and also|and for|yet also)\b/i],

  [
    'instruction_ambiguity',
    3,
    /\bnot clear (?:if|whether|what|which|who|how)\b|\b(?:is|was|were) silent (?:on|about)\b|\b(?:may|might|can) (?:refer to|mean) (?:either|both|one of)\b|\b(?:leaves?|left) room for\b|\bnot told (?:which|what|the|how|whether)\b/i,
  ],
  [
    'instruction_ambiguity',
    3,
    /\b(?:conflicting|contradicting) (?:rules|instructions|requirements|guidelines|statements)\b|\bmentions? two\b|\bthan the wording\b|\bwhat the wording\b/i,
  ],
  [
    'instruction_ambiguity',
    3,
    /\b(?:can|could|may|might) be (?:read|taken|understood|parsed|interpreted)\b|\b(?:two|several|multiple|different) (?:ways|things|meanings?)\b.{0,40}\b(?:mean|say|word|request)?/i,
  ],
  [
    'instruction_ambiguity',
    3,
    /\b(?:no ?body|no one) (?:told|gave) (?:it|the agent|the bot)\b|\bleft (?:it )?open (?:which|what|who|when|how|whether|if)\b|\bi (?:never|did(?:n['’]t| not)) (?:say|said|specify|specified|mention(?:ed)?|state[d]?|tell|told)\b|\bwe (?:never|did(?:n['’]t| not)) (?:say|said|specify|specified|mention(?:ed)?|state[d]?|tell|told|define[d]?)\b/i,
  ],
  [
    'instruction_ambiguity',
    3,
    /\b(?:no ?body|no one|none of us) (?:knows|knew|could say|agrees?) what\b|\b(?:ticket|task|request|brief|prompt|description|spec\w*|story|requirements?|instructions?) (?:\w+ )?(?:had|has|have|contains?|gave|gives|lists?) no\b|\bmeans? (?:two|different|several) things\b|\bmeant (?:either|both)\b/i,
  ],
  [
    'instruction_ambiguity',
    3,
    /\b(?:brief|ticket|prompt|task|request|spec|story) (?:wants?|asks?|says?|demands?|calls for)\b.{1,60}\b(?:in one place|here)\b.{0,30}\b(?:and|but)\b|\b(?:one|first) (?:sentence|paragraph|place|line|rule) (?:says?|wants?|asks?)\b.{1,60}\b(?:the other|another|second)\b/i,
  ],
  [
    'instruction_ambiguity',
    3,
    /\b(?:was|is|were|are)(?:n['’]t| not) (?:very |really |that |at all )?(?:clear|precise|specific|defined|specified|spelled out|written down)\b|\b(?:does|did|do)(?:n['’]t| not) cover (?:this|that|the|such|it)\b|\b(?:nothing|nowhere) (?:\w+ ){0,3}(?:says|said|states|stated|defined|specified)\b/i,
  ],
  [
    'instruction_ambiguity',
    5,
    /\b(?:i|we) (?:forgot|failed|should have|neglected) (?:to )?(?:tell|told|say|said|mention\w*|specif\w+|state|stated|write|written|attach)\b/i,
  ],
  [
    'instruction_ambiguity',
    4,
    /\b(?:ticket|task|request|brief|prompt|description|spec\w*|story|requirements?|instructions?|i|we|user|customer) (?:only|just|merely) (?:said|says|asked|asks|wrote|reads?)\b|\b(?:brief|ticket|prompt|task|request|spec\w*|story|description|requirements?|instructions?|wording) (?:leaves?|left) .{1,50} open\b|\b(?:no ?body|no one|none of us) (?:ever )?(?:defined|said|specified|decided|wrote down|told)\b|^["'“‘][^"'”’]{2,40}["'”’] (?:was|is|can be|could be) (?:read|taken|understood|interpreted)\b|\b(?:i|we) (?:wrote|said|asked for) ["'“‘][^"'”’]{2,40}["'”’],? (?:but )?(?:there (?:are|were)|which)\b/i,
  ],
  [
    'instruction_ambiguity',
    6,
    /\b(rule|line|page|section|paragraph|sentence|step|point) \w+ (?:says?|wants?|asks?|demands?|allows?|forbids?)\b.{1,60}\b\1 \w+ (?:says?|wants?|asks?|demands?|allows?|forbids?)\b|\bmy (?:own )?(?:\w+ )?(?:sentence|wording|request|question|instructions?|prompt|description) (?:was|were|is) (?:misleading|wrong|unfortunate|confusing|imprecise)\b/i,
  ],
  // The agent claimed completion or stated a fact without proof.
  [
    'overconfidence',
    2,
    /\b(?:claim(?:s|ed|ing)?|assert(?:s|ed)?|insist(?:s|ed)?|assured?|guaranteed|swore|swears|boasted)\b/i,
  ],
  [
    'overconfidence',
    2,
    /\b(?:said|says|reported|reports|declared|announced|confirmed|told|marked|stated|wrote|presented)\b.{0,60}\b(?:done|success(?:ful(?:ly)?)?|pass(?:es|ed|ing)?|complete[d]?|finished|fixed|works?|working|ready|fact|certain(?:ty)?|deployed|booked|booking)\b/i,
  ],
  [
    'overconfidence',
    3,
    /\bwithout having (?:run|read|checked|tested|opened|looked|seen|tried|verified|asked)\b|\bwithout (?:ever |even |first )?(?:run|check|verif|test|read|look|confirm|reproduc|prov|consult|open|compar|valid)\w*ing\b/i,
  ],
  [
    'overconfidence',
    3,
    /\b(?:never|not|n['’]t) (?:\w+ )?(?:verif\w+|check(?:ed|ing)?|tested|confirmed|ran|run|looked up|reproduced|proven|opened)\b/i,
  ],
  [
    'overconfidence',
    2,
    /\bfrom memory\b|\bas (?:a |an )?(?:established |proven )?facts?\b|\bwith (?:full |great )?(?:certainty|confidence)\b|\bconfidently\b|\bunverified\b/i,
  ],
  [
    'overconfidence',
    1,
    /\b(?:although|though|but|while|before) .{0,40}\b(?:failed|empty|not|no|never|still|fails?|had(?:n['’]t)?)\b/i,
  ],

  [
    'overconfidence',
    3,
    /\b(?:said|told|promised|wrote|saying|claiming|claimed|announced)\b.{1,80}[,;:] ?(?:but |and )?(?:it|they|that|this|\d+|none|nothing) (?:was|were|is|are|does|do|did|has|had|had been)(?: ?(?:not|n['’]t))?\b/i,
  ],
  [
    'overconfidence',
    3,
    /\bpromised\b.{0,60}\bwithout\b|\bwith(?:out| no) (?:a |any )?(?:caveat|source|proof|evidence|citation)s?\b|\brated its own\b|\bwithout looking\b/i,
  ],
  [
    'overconfidence',
    4,
    /\b(?:said|says|saying|told|tells|claim\w*|swore|swears|insist\w*|assur\w+|report(?:s|ed)?|announced|closed|marked|declared|states?|stated|summary|wrote|writes|ticked|promised|confirmed)\b.{1,90}\b(?:still|yet|half of|nothing|never|not one|none of|no (?:check|test|evidence|trace|sign|such|mail|file|record)|in fact|in reality|actually|does(?:n['’]t| not)|did(?:n['’]t| not)|is(?:n['’]t| not)|was(?:n['’]t| not)|were(?:n['’]t| not)|has(?:n['’]t| not)|before|is red|was red|fails?|failed|broken|missing|untouched|empty)\b/i,
  ],
  [
    'overconfidence',
    4,
    /\bpretend(?:s|ed|ing)?\b|\bfaked?\b|\bbluff\w*\b|\b(?:as|so) (?:solved|done|finished|fixed|verified|complete)\b.{0,60}\b(?:still|not|cannot|can['’]t|n['’]t|never|but)\b/i,
  ],
  [
    'overconfidence',
    4,
    /\b(?:was|is|were|are|seemed) (?:very |so |totally |absolutely |quite )?(?:sure|certain|confident|convinced|positive)\b.{0,60}\b(?:wrong|incorrect|mistaken|false|untrue)\b|\b(?:definite|firm|exact) \w+ (?:although|though|while|but)\b|\bnever (?:opened|read|ran|checked|tested|looked at|asked)\b.{1,60}\b(?:and|but|yet)\b|\bsounded? (?:very |so |totally |absolutely )?(?:sure|certain|confident)\b|\btoo (?:sure|confident)\b|\bno doubts?\b|\bwas a guess\b/i,
  ],
  ['overconfidence', 3, /\bwithout (?:even |ever )?(?:trying|bothering|attempting|having tried) to\b/i],
  // The agent did not know a name, a rule or a version.
  [
    'knowledge_gap',
    3,
    /\b(?:deprecated|obsolete|outdated|out of date|out-of-date|superseded|legacy (?:api|syntax|endpoint))\b/i,
  ],
  [
    'knowledge_gap',
    3,
    /\b(?:removed|introduced|added|renamed|changed|new) (?:in|since|with) (?:v(?:ersion)? ?)?\d|\bwas renamed\b|\b(?:old|new|v\d+) (?:api|syntax|config\w*|option|endpoint|signature|key|calendar|schema|interface)\b/i,
  ],
  [
    'knowledge_gap',
    3,
    /\b(?:did|does|do)(?: not|n['’]t) know (?:that|about|of|how|the|our|what)\b|\bunaware\b|\bunfamiliar\b|\bnot (?:aware|familiar)\b|\b(?:has|had) no (?:idea|knowledge|clue)\b|\bnever heard\b|\bignorant of\b/i,
  ],
  ['knowledge_gap', 3, /\b(?:invent(?:ed|s|ing)|made[- ]up|makes up|hallucinat\w+|fabricat\w+)\b/i],
  [
    'knowledge_gap',
    3,
    /\b(?:does|do|did) ?(?:not|n['’]t) exist\b|\bnon-?existent\b|\bthere is no such\b|\bno such (?:function|method|flag|option|package|module|parameter|command|field|class|attribute)\b|\b(?:has|have|had) never (?:had|existed|been)\b/i,
  ],
  [
    'knowledge_gap',
    2,
    /\btraining data\b|\bknowledge cut-?off\b|\bguess(?:ed|es|ing) (?:the|a|an|at) \w*(?:name|path|url|argument|flag|id)\b|\bchanged in (?:19|20)\d\d\b|\bof (?:19|20)\d\d\b/i,
  ],

  [
    'knowledge_gap',
    3,
    /\bis(?: not|n['’]t) (?:a|an) (?:\w+ )?(?:command|function|method|option|flag|package|keyword|field|api|endpoint)\b|\b(?:was|were|has been|have been) (?:dropped|removed|repealed|discontinued|retired|renamed|withdrawn)\b|\bwrong import\b|\bnever used .{1,40} before\b/i,
  ],
  [
    'knowledge_gap',
    4,
    /\b(?:not|n['’]t|never) (?:in|part of|available in|supported (?:in|by)|a thing in|defined in) (?:our|the|this|that|any|its|version)\b|\b(?:which|that) \w+ (?:does|do|did)(?: not|n['’]t) (?:have|support|accept|offer|provide|know)\b|\b(?:no ?body|no one) can find\b/i,
  ],
  [
    'knowledge_gap',
    4,
    /\b(?:uses?|used|calls?|called|cites?|cited|quotes?|wrote|writes|relies|relied)\b.{1,70}\b(?:was|were|has been|have been|been|is|got) (?:shut down|retired|removed|repealed|discontinued|replaced|renamed|switched off|dropped|deprecated|abolished|closed)\b/i,
  ],
  [
    'knowledge_gap',
    3,
    /\b(?:wrote|writes|uses?|used) [A-Z][A-Za-z]+ ?\d\b|\b(?:syntax|api|version|release|edition|schema|manual|rules?|prices?) (?:of|from|for) (?:version |v|release )?\d|\b(?:recommend|suggest|propos|import|quot|cit)\w*\b.{1,60}\b(?:removed|renamed|dropped|closed|retired|discontinued|left|sold|changed)\b.{0,30}\b(?:ago|last|since|in (?:19|20)\d\d|long)\b|\b(?:quot|cit|referenc)\w* .{1,60}\bnot in\b|\bthinks? .{1,60}\bstill\b|\bthought .{1,60}\bstill\b|\b(?:wrote|written|code|syntax|works?|meant) (?:it )?(?:\w+ )?for (?:an old(?:er)? |the old |version )?[A-Za-z]{2,20} ?v?\d+\b|\b(?:moved|switched|migrated) (?:away )?(?:from|to)\b.{0,60}\b(?:ago|last|since|long)\b|\bout of touch\b|\bnever seen\b|\bdoes(?: not|n['’]t) understand (?:our|the|how)\b/i,
  ],
  [
    'knowledge_gap',
    3,
    /\bthere (?:is|are|was|were)(?:n['’]t| not| no) (?:a |an |any )?(?:--?[\w-]+|such|option|flag|button|menu|command|function|method|setting|endpoint|field|column|package|page)\b|\b(?:uses?|used|wrote|writes|kept|still has|shows?|puts?) (?:the |our )?(?:old|former|previous|outdated|past) (?:\w+ )?(?:name|logo|address|price|prices|brand|domain|office|title|team|vat|tax|rate|rates|version|letterhead|phone|number|url|link)\b/i,
  ],
  [
    'knowledge_gap',
    3,
    /\b(?:believes?|believed|thinks?|thought|expects?|expected)\b.{1,70}\b(?:was|were|has been|have been|is) (?:dropped|removed|shut down|closed|renamed|replaced|discontinued|retired|sold)\b|\b(?:has|have|had|was|were|is) never (?:worked|lived|sold|offered|made|published|written|employed|there|available|a )\b/i,
  ],
  // The agent had the information it needed and drew a wrong conclusion.
  ['reasoning_error', 4, /\bassum(?:ed|es|ing|ption)\b|\bpresum(?:ed|es|ing)\b|\btook .{0,30} for granted\b/i],
  [
    'reasoning_error',
    3,
    /\boff[- ]by[- ]one\b|\bmis(?:calculat|count|interpret|judg|read)\w*|\bdouble[- ]count\w*|\blogic(?:al)? (?:error|mistake|flaw)\b|\bfallacy\b|\bnon sequitur\b/i,
  ],
  ['reasoning_error', 4, /\b(?:conclud(?:ed|es)|inferr?(?:ed|s)|deduc(?:ed|es)|reasoned)\b/i],
  [
    'reasoning_error',
    3,
    /\b(?:mixed up|mixes up|confus(?:ed|es|ing)|swapp?(?:ed|s)|invert(?:ed|s)|revers(?:ed|es)|transposed|conflat(?:ed|es))\b/i,
  ],
  [
    'reasoning_error',
    2,
    /\b(?:divided?|multipli(?:ed|es)|subtract(?:ed|s)?|added|summed|rounded|counted|averaged?|average of)\b/i,
  ],
  [
    'reasoning_error',
    2,
    /\bwrong (?:sign|order|unit|branch|formula|operator|condition|comparison|direction|column|variable|conclusion|way round|step)\b|\bcondition wrong\b|\bfix(?:ed|es) the symptom\b/i,
  ],
  [
    'reasoning_error',
    2,
    /\b(?:overlook(?:ed|s)|neglect(?:ed|s)|disregard(?:ed|s)|forgot to|failed to consider|ignored the|skipped (?:a|the) step|left out the)\b/i,
  ],
  ['reasoning_error', 2, /\btreat(?:ed|s) .{1,40} as\b|\bcompar(?:ed|es) .{1,40}\b(?:where|with)\b|\binstead of\b/i],

  [
    'reasoning_error',
    2,
    /\btook \w+ for \w+\b|\bblamed\b.{1,60}\b(?:cause|culprit|reason)\b|\bnever (?:ends|terminates)\b|\bbefore (?:summing|sorting|comparing|adding|dividing)\b|\bcompared .{1,40} (?:to|with) the wrong\b|\bdo(?:es)? not add up\b|\badds? up to\b/i,
  ],
  [
    'reasoning_error',
    3,
    /\b(?:to|for|at|in|from|with|on|into|under|by|about|of) the wrong (?!version|idea|impression|tool|api)\w+|\bthe wrong (?:person|customer|account|address|date|day|month|year|file|folder|place|row|cell|side|recipient|amount|branch|way|time ?zone|currency|language)\b|\bwrong(?:ly)? (?:sum|total|calculat\w+|add\w*|count\w*)\b/i,
  ],
  [
    'reasoning_error',
    3,
    /\bas the (?:total|cheapest|largest|smallest|biggest|first|last|latest|newest|best|net|gross|average|sum|result|start|end|minimum|maximum)\b|\b(?:does|do|did)(?:n['’]t| not) (?:sum|add|tally|match up|balance)\b|\b(?:twice|ten times|a hundred times|half) (?:as|too|over)\b|\bcounts? \w+ as\b|\bdouble[ds]?\b.{0,30}\b(?:count|tax|discount|fee|charge)/i,
  ],
  [
    'reasoning_error',
    3,
    /\bso the .{1,40} (?:became|is now|turned into)\b|\b(?:sorted|ranked|ordered|grouped|filtered|took|used|computed|calculated|added|counted|summed|averaged|rounded|compared|picked|chose)\b.{1,50}\b(?:where|when|although|while)\b.{1,40}\b(?:needed|asked|wanted|should|must|had to|meant|called)\b|\b(?:deleted|removed|kept|overwrote|dropped|discarded) the (?:new\w*|good|right|correct|latest|current)\b|\b(?:sorted|ranked|ordered|grouped|filtered) (?:it |them |the \w+ )?by\b.{1,40}\b(?:although|but|instead|not|where|should)\b|\bwith (?:itself|themselves)\b|\bfrom (?:one|a single|two) \w+ (?:that|to)\b/i,
  ],
  [
    'reasoning_error',
    3,
    /\b(?:used|uses|took|takes|answered|booked|chose|picks?|picked|applied|counted|put|charged|shipped|quoted)\b.{1,70}\b(?:with (?:data|figures|numbers) (?:for|from|of)|for the day of|one day (?:late|early|off)|twice|where .{1,30} (?:was|were) (?:meant|asked|needed)|in place of|rather than|and not)\b/i,
  ],
  [
    'reasoning_error',
    3,
    /\b(?:deducted|charged|billed|paid|subtracted|sent|booked|applied|counted|ordered|shipped|entered|listed|refunded)\b.{1,50}\b(?:twice|double|two times|three times|again by mistake)\b|\b(?:put|puts|entered|wrote|filed|pasted|saved|copied|moved|posted)\b.{1,50}\b(?:in|into|under|to) (?:the |our )?(?:other|opposite|neighbou?ring|next|previous|\w+) (?:column|row|field|cell|sheet|tab|folder|line|account|channel)\b/i,
  ],
  [
    'reasoning_error',
    3,
    /\b(?:should|must|had to|ought to|needs? to|was meant to) (?:be|have been|go|come|use|take|read)\b.{1,40}[,;:] ?(?:but |and )?(?:it|the (?:agent|bot|assistant)|he|she)\b|\b(?:read|reads|took|takes|understood|interprets?|interpreted) .{1,30} as (?:a |an |the )?\w+.{0,20}\b(?:when|where|although|though|but|instead)\b|\b(?:calculat|comput|work|figur|count|estimat|pric|convert)\w{0,5}\b.{0,20}\bwith (?:last|the (?:old|wrong|previous|other)|another|a different|yesterday)\b|\b(?:the wrong way (?:round|around)|upside down|back to front|vice versa|backwards)\b/i,
  ],
  // A tool or a service failed, regardless of the agent's actions.
  ...SERVICE_SIGNS.map(([weight, pattern]): Sign => ['tool_failure', weight, pattern]),
];

/**
 * Sentence about one concrete action of the agent. It acted on what it had and acted wrongly, unless a sign says
 * something else.
 */
const ACTION =
  /^(?:it |the (?:agent|bot|assistant) |he |she )?(?:has |had |also |again |simply |just ){0,2}(?:filed|shipped|e-?mailed|mailed|sent|sends|booked|books|ordered|paid|charged|billed|deleted|removed|moved|copied|pasted|entered|typed|assigned|invited|scheduled|rescheduled|cancell?ed|refunded|merged|renamed|converted|calculated|listed|attached|uploaded|credited|debited|transferred|posted|published|archived|tagged|labell?ed|applied|counted|used|uses|chose|picked|picks|took|takes|gave|gives|put|puts|set|sets)\s+(?!up\b)(?:\S+\s+){2,}\S+/i;
/** Marks of an opinion, or of what a program printed. */
const NO_REPORT =
  /[:=\\/{}<>%]|\b[A-Z_]{5,}\b|\b\d+ ?(?:[KMG]i?B|ms|s)\b|\b[Tt]oo \w+\b|\b(?:slow|late|long|short|ugly|formal|nice)(?:ly)?[.!]?$/;

/** Returns the cause that the words of a failure indicate; `undefined` if none does, or if two tie. */
export function causeInWords(text: string): CauseInWords | undefined {
  const head = text.slice(0, MAX_CHARS);
  const scores = new Map<CauseInWords['cause'], { score: number; words: string }>();
  for (const [cause, weight, pattern] of SIGNS) {
    const found = pattern.exec(head);
    if (found === null) continue;
    const known = scores.get(cause);
    scores.set(cause, { score: (known?.score ?? 0) + weight, words: known?.words ?? found[0] });
  }
  const ranked = [...scores].sort(([, a], [, b]) => b.score - a.score);
  const [first, second] = ranked;
  const action = first === undefined && !NO_REPORT.test(head) ? ACTION.exec(head.trim())?.[0] : undefined;
  if (action !== undefined) return { cause: 'reasoning_error', words: action.slice(0, 80) };
  if (first === undefined || first[1].score < 2 || first[1].score === second?.[1].score) return undefined;
  return { cause: first[0], words: first[1].words.slice(0, 80) };
}
