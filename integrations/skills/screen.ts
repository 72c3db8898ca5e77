import { drafting } from 'rsi-loop/kit';
import type { SkillText } from './skill.js';

/** Longest part of a body that is screened. */
const MAX_BODY = 100_000;
const COMMANDS =
  /\b(?:rm|sudo|chmod|chown|curl|wget|eval|exec|base|powershell|bash|sh|drop|delete|import|npm|pip|git)\b/gi;
/** Words between the parts of an instruction. Without line breaks, and short: a search takes linear time. */
const GAP = String.raw`[^\n.!?]{0,60}?`;

interface Trap {
  readonly what: string;
  readonly pattern: RegExp;
}

/** Orders that set rules aside. They are suspect in a description and in a body. */
const ORDERS: readonly Trap[] = /* @__PURE__ */ [
  [
    'an order to ignore instructions',
    `(?:ignore|disregard|forget|override)\\s(?:(?:all|any|the|your|of|every|my)\\s){0,4}(?:previous|prior|earlier|above|preceding|system|other)\\s(?:\\w+\\s){0,2}(?:instruction|prompt|rule|message|guideline)`,
  ],
  [
    'an order to ignore instructions',
    `(?:ignorier|vergiss|missacht)\\w{0,4}${GAP}(?:anweisung|regel|vorgabe)|ignore[zr]?${GAP}(?:instructions|consignes|règles)\\s(?:précédentes|antérieures)|ignor[ae]n?r?${GAP}(?:instrucciones|reglas|istruzioni|instruções)|忽略${GAP}(?:指令|指示|规则|說明|说明)|(?:以前|前)の指示を無視|игнорируй${GAP}инструкци`,
  ],
  [
    'an order to hide something from the user',
    `(?:do\\snot|don['’]t|never|without)\\s(?:tell|telling|inform|informing|mention(?:ing)?(?:\\sthis)?\\sto|reveal(?:ing)?(?:\\sthis)?\\sto|show(?:ing)?\\sthis\\sto)\\s(?:the\\s|this\\sto\\sthe\\s)?(?:user|human|person|operator|owner)(?!\\w)(?!\\s(?:to|that\\s(?:it|you|the)|about\\serrors))`,
  ],
  [
    'an order to send the conversation',
    `(?:send|post|upload|forward|transmit|exfiltrate|report)\\s(?:the\\s|this\\s|all\\s|your\\s|whole\\s|entire\\s|full\\s){0,4}(?:conversation|chat\\shistory|system\\sprompt|context\\swindow|api\\skeys?|passwords?|credentials|secrets)${GAP}(?:https?:|\\bto\\b)`,
  ],
].map(([what = '', source = '']) => ({ what, pattern: new RegExp(source, 'iu') }));

/** Orders that are common in bodies, and have no place in a description. */
const CLAIMS: readonly Trap[] = /* @__PURE__ */ [
  [
    'an order to pass on keys',
    `(?:read|open|send|include|pass|upload|attach|print|cat|copy)${GAP}(?:~/\\.ssh|id_rsa|id_ed25519|\\.aws/credentials|/etc/shadow)`,
  ],
  [
    'an order to come first',
    `\\b(?:always|must)\\s(?:call|use|run|invoke|load|execute)\\sthis\\s(?:tool|skill|function)\\s(?:first|before\\s(?:any|every|all|each)\\s(?:other|tool))`,
  ],
  [
    'an order to read files',
    `before\\s(?:using|calling|running)\\s(?:it|this)${GAP}\\b(?:read|open|send|fetch|run)\\b`,
  ],
  ['a key file', `\\.ssh/|\\bid_rsa\\b|\\bid_ed25519\\b|\\.aws/credentials`],
  ['an order to send something', `\\b(?:send|post|upload|forward)\\b${GAP}\\bto\\shttps?:`],
  ['a claim on authority', `\\b(?:system|developer|admin(?:istrator)?)\\s(?:message|override|instruction)\\s?:`],
].map(([what = '', source = '']) => ({ what, pattern: new RegExp(source, 'iu') }));

/** Returns why the texts of a skill must not reach an agent before a person has read them. */
export function screenSkill({ description, whenNot = '', body }: SkillText): string | undefined {
  const inDescription = suspectIn(description) ?? suspectIn(whenNot);
  if (inDescription !== undefined) return `its description: ${inDescription}`;
  const plain = body.slice(0, MAX_BODY).replace(/[\u200b-\u200f\u2060\ufeff]/g, '');
  const found = ORDERS.find(({ pattern }) => pattern.test(plain));
  return found && `its body: it holds ${found.what}`;
}

/** Addresses and names of commands are common in descriptions. */
function suspectIn(text: string): string | undefined {
  const trap = [...ORDERS, ...CLAIMS].find(({ pattern }) => pattern.test(text.replace(/\s+/g, ' ')));
  if (trap) return `it holds ${trap.what}`;
  for (const sentence of text.split(/[.!?:;]+/)) {
    const plain = sentence.replace(/[^\p{L}\p{M}\s,'’]+/gu, ' ').replace(COMMANDS, ' ');
    const found = drafting.findSuspect(plain);
    if (found !== undefined && !/an act that cannot be undone|address/.test(found)) return found;
  }
  return undefined;
}
