/** Text limit: texts explain a failure at the beginning or not at all. */
export const MAX_CHARS = 400;

/** Phrases that indicate that a tool or service failed. The weights of the matching ones add up; 2 decides. */
export const SERVICE_SIGNS: readonly (readonly [weight: number, pattern: RegExp])[] = [
  [
    3,
    /\bHTTP (?:status )?[45]\d\d\b|\b(?:429|500|502|503|504)\b|\brate[- ]?limit(?:ed|s|ing)?\b|\bquota (?:\w+ )?(?:exceeded|exhausted|reached|used up|full|ran out)\b|\bout of quota\b|\b(?:hit|over|exceeded) (?:the |its |our )?quota\b/i,
  ],
  [
    3,
    /\b(?:api|tool|service|server|gateway|database|browser|endpoint|provider|plugin|index|shell|converter|driver|backend|webhook|cache|connector|extension|process|search)\b.{0,40}\b(?:crash\w*|fail(?:ed|s|ure)?|down|unavailable|refused|timed out|time-?out|returned|gave back|answered with|could not start|exited|broke|dropped|hung|unreachable|overloaded|offline)\b/i,
  ],
  [
    3,
    /\b(?:kept|keeps) (?:throwing|returning|giving|showing) (?:an? |the )?(?:\w+ )?errors?\b|\bbroke off\b|\b(?:over|at|beyond) (?:its|the|our) (?:\w+ )?limit\b|\b(?:did|does|would)(?: not|n['’]t) (?:load|start|respond|connect|come up)\b|\b(?:was|were|got) killed\b|\b(?:out|lack|short) of (?:memory|disk|space)\b|\b(?:segfault\w*|segmentation fault|exit(?:ed)? (?:with )?(?:code|status) [1-9]\d*|core dumped|connection (?:was )?(?:refused|reset|dropped|lost|closed))\b/i,
  ],
  [
    2,
    /\b(?:empty|garbled|malformed|corrupt(?:ed)?|bad|no) (?:response|result|results|answer|data|reply|output) (?:from|of|by)\b/i,
  ],
  [
    3,
    /\b(?:outage|maintenance|unreachable|offline|target closed|not running|closed unexpectedly|never answered|did not respond|no response|out of service|not reachable|not available (?:at the time|all day|today)|unresponsive)\b|\b(?:time-?outs?|outage|downtime|failure|crash) (?:of|in|at) (?:the |our )?(?!context)\w+|\b(?:vpn|network|wi-?fi|internet|line|call|connection|session) (?:dropped|broke|failed|was cut|went|disconnected)\b|\bapi [45]\d\d\b/i,
  ],
  [
    3,
    /\b(?:could(?:n['’]t| not)|cannot|can['’]t|was unable to|failed to) (?:reach|connect to|log ?in to|log into|access|contact|load from)\b|\b(?:returned|gave|sent|delivered|produced|spat out) (?:\w+ )?(?:garbage|gibberish|nonsense|an error|errors|nothing)\b.{0,40}/i,
  ],
  [
    3,
    /\b(?:chrome|firefox|browser|excel|word|outlook|app|program|terminal|tool|vm|container|job|worker|page|site|website|portal|system|network|wi-?fi|vpn|proxy|crm|erp|mailbox|disk|queue) (?:\w+ )?(?:hung|froze|crashe[ds]|died|went down|went away|was down|is down|was locked|was full|kept crashing|logged (?:me|us|it) out|stopped responding|ran out|would(?:n['’]t| not) (?:load|open|start|respond))\b/i,
  ],
  [
    3,
    /\blogged (?:it|us|me|them|the \w+) out\b|\b(?:api[- ]?key|licen[cs]e|token|certificate|credentials?|password|subscription)\b.{0,40}\b(?:expired|revoked|invalid|ran out)\b|\b(?:server|service|site|portal|bank|gateway|provider|api|system)\b.{0,20}\b(?:rejected|refused|blocked|bounced|denied|ignored) (?:everything|every|all|the|our|each|any)\b/i,
  ],
];

/** Beginning of a sentence about what the agent thought or did, even if it names a service after that. */
const ABOUT_AGENT = /^(?:assum|claim|conclud|guess|us)(?:e|ed|es|s|ing)\b/i;

/** Returns whether the words of a failure indicate that a tool or service failed. */
export function saysServiceFailed(text: string): boolean {
  const head = text.slice(0, MAX_CHARS);
  if (ABOUT_AGENT.test(head)) return false;
  return SERVICE_SIGNS.reduce((sum, [weight, pattern]) => (pattern.test(head) ? sum + weight : sum), 0) >= 2;
}
