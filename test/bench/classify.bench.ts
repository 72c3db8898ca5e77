/**
 * Classifications per second on mixed messages, side by side with a plain list of regular expressions, the way it is usually
 * done (and wrong more often: see the campaign of the same name for quality). `npm run bench -- classify`
 */
import { join } from 'node:path';
import { classifyError } from '../../src/index.js';
import { readLabelled } from '../classify/score.js';

const naive: readonly (readonly [string, RegExp])[] = [
  ['quota_exceeded', /insufficient_quota|exceeded your current quota|billing|credit balance|payment required/i],
  ['rate_limit', /rate.?limit|too many requests|429|throttl|requests per (?:minute|second|day)/i],
  ['overloaded', /overloaded|529|at capacity|server busy|high demand/i],
  ['timeout', /timed? ?out|ETIMEDOUT|deadline exceeded|504|408/i],
  [
    'network',
    /ECONN(?:REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|EPIPE|socket hang up|fetch failed|connection (?:error|refused|reset|closed)|certificate/i,
  ],
  ['auth', /unauthorized|invalid.{0,10}api.?key|401|authentication|credentials|token expired/i],
  ['permission', /forbidden|403|permission denied|access denied|EACCES|EPERM|not authorized/i],
  ['model_not_found', /model.{0,40}(?:not found|does not exist|decommissioned|deprecated)|invalid model/i],
  ['not_found', /not found|404|ENOENT|no such file|does not exist/i],
  ['context_length', /context.?length|maximum context|too long|too many tokens|context window/i],
  ['empty_response', /empty (?:response|message|reply|completion)|no content|no choices/i],
  ['parse_error', /unexpected token|JSON|parse|unterminated|malformed/i],
  ['validation', /validation|invalid (?:type|value|argument|parameter)|required|400|422|must be/i],
  ['content_filter', /content.?filter|safety|content policy|moderation|flagged/i],
  ['resource_exhausted', /out of memory|ENOSPC|EMFILE|ENOMEM|no space left|OOM/i],
  ['cancelled', /cancel|abort|interrupted|SIGTERM/i],
  ['tool_failure', /command not found|exit code|exited with|tool.{0,20}failed/i],
  ['server_error', /internal (?:server )?error|500|502|503|bad gateway|service unavailable/i],
];
const byList = (text: string) => naive.find(([, pattern]) => pattern.test(text))?.[0] ?? 'unknown';

const messages = ['seen', 'held-out', 'real']
  .flatMap((name) => readLabelled(join(import.meta.dirname, `../classify/fixtures/${name}.jsonl`)))
  .flatMap(({ message }) => message ?? []);
/** The same words, but no two messages alike: nothing can be remembered. */
const scrambled = Array.from(
  { length: 20 * messages.length },
  (_, index) => `${messages[index % messages.length]} [${index * 7919}]`,
);

const CHUNK = 4000;
let at = 0;
function perSecond(name: (text: string) => unknown): number {
  const start = process.cpuUsage();
  for (let count = 0; count < CHUNK; count++) name(scrambled[at++ % scrambled.length] ?? '');
  const { user, system } = process.cpuUsage(start);
  return CHUNK / ((user + system) / 1e6);
}

const start = performance.now();
classifyError('first');
console.log(`first call, with building the tree: ${(performance.now() - start).toFixed(0)} ms`);
const ours: number[] = [];
const theirs: number[] = [];
// In turns, so that other work of the machine meets both.
for (let round = 0; round < 40; round++) {
  ours.push(perSecond(classifyError));
  theirs.push(perSecond(byList));
}
const median = (values: readonly number[]) => [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0;
const averageLength = messages.reduce((sum, { length }) => sum + length, 0) / messages.length;
console.log(
  `${messages.length} messages of ${averageLength.toFixed(0)} characters on average, each made different, per second of CPU time, median of 40 rounds`,
);
console.log(
  `classifyError          ${(median(ours) / 1000).toFixed(0)}k (best ${(Math.max(...ours) / 1000).toFixed(0)}k)`,
);
console.log(
  `18 regular expressions ${(median(theirs) / 1000).toFixed(0)}k (best ${(Math.max(...theirs) / 1000).toFixed(0)}k)`,
);
console.log(`ratio                  ${(median(ours) / median(theirs)).toFixed(2)}`);
