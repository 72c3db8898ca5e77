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
  ['context_loss', 2, /\basked? (?:\w+ ){0,3}(?:again|twice|once more)\b|\bre-?asked\b/i],
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
  // The agent claimed completion or stated a fact without proof.
  [
    'overconfidence',
    2,
    /\b(?:claim(?:s|ed|ing)?|assert(?:s|ed)?|insist(?:s|ed)?|assured?|guaranteed|swore|boasted)\b/i,
  ],
  [
    'overconfidence',
    2,
    /\b(?:said|says|reported|reports|declared|announced|confirmed|told|marked|stated|wrote|presented)\b.{0,60}\b(?:done|success(?:ful(?:ly)?)?|pass(?:es|ed|ing)?|complete[d]?|finished|fixed|works?|working|ready|fact|certain(?:ty)?|deployed|booked|booking)\b/i,
  ],
  [
    'overconfidence',
    3,
    /\bwithout (?:ever |even |first )?(?:run|check|verif|test|read|look|confirm|reproduc|prov|consult|open|compar|valid)\w*ing\b/i,
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
  // A tool or a service failed, regardless of the agent's actions.
  [
    'tool_failure',
    3,
    /\bHTTP (?:status )?[45]\d\d\b|\b(?:429|500|502|503|504)\b|\brate[- ]?limit(?:ed|s|ing)?\b|\bquota\b/i,
  ],
  [
    'tool_failure',
    3,
    /\b(?:api|tool|service|server|gateway|database|browser|endpoint|provider|plugin|index|shell|converter|driver|backend|webhook|cache|connector|extension|process|search)\b.{0,40}\b(?:crash\w*|fail(?:ed|s|ure)?|down|unavailable|refused|timed out|time-?out|returned|gave back|answered with|could not start|exited|broke|dropped|hung|unreachable|overloaded|offline)\b/i,
  ],
  [
    'tool_failure',
    3,
    /\b(?:segfault\w*|segmentation fault|exit(?:ed)? (?:with )?(?:code|status) [1-9]\d*|core dumped|connection (?:was )?(?:refused|reset|dropped|lost|closed))\b/i,
  ],
  [
    'tool_failure',
    2,
    /\b(?:empty|garbled|malformed|corrupt(?:ed)?|bad|no) (?:response|result|results|answer|data|reply|output) (?:from|of|by)\b/i,
  ],
  [
    'tool_failure',
    3,
    /\b(?:outage|maintenance|unreachable|offline|target closed|not running|closed unexpectedly|never answered|did not respond|no response|out of service)\b|\bapi [45]\d\d\b/i,
  ],
];

/** Text limit: texts explain a failure at the beginning or not at all. */
const MAX_CHARS = 400;

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
  if (first === undefined || first[1].score < 2 || first[1].score === second?.[1].score) return undefined;
  return { cause: first[0], words: first[1].words.slice(0, 80) };
}
