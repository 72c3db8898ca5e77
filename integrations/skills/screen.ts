import { drafting } from 'rsi-loop/kit';
import type { SkillText } from './skill.js';

/** Invisible characters: they hide a word from an expression. */
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
/** Longest part of a body that is screened. */
const MAX_BODY = 100_000;
const COMMANDS =
  /\b(?:rm|sudo|chmod|chown|curl|wget|eval|exec|base|powershell|bash|sh|drop|delete|import|npm|pip|git)\b/gi;
/** Words between the parts of an instruction. Without line breaks, and short: a search takes linear time. */
const GAP = String.raw`[^\n.!?]{0,60}?`;

/** A claim that must be true before a user hears it: `Never tell the user the report is ready before ...`. */
const CLAIM = String.raw`the\s\w+(?:[\s>]{1,4}\([^)\n]{0,40}\))?\s(?:is|are)\s(?:ready|complete|done|finished|correct|safe)\b`;

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
    `(?:do\\snot|don['’]t|never|without)\\s(?:tell|telling|inform|informing|mention(?:ing)?(?:\\sthis)?\\sto|reveal(?:ing)?(?:\\sthis)?\\sto|show(?:ing)?\\sthis\\sto)\\s(?:the\\s|this\\sto\\sthe\\s)?(?:user|human|person|operator|owner)(?!\\w)(?!\\s(?:to|that\\s(?:it|you|the)|about\\serrors|${CLAIM}))`,
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

/** Words that no rule may hold, and that descriptions use as nouns or of themselves: `(overrides all triggers)`. */
const ASIDE =
  /\b(?:ignor|disregard|overrid|bypass|disabl)(?:e|es|ed|en|den|ing|s)?\b|\b(?:turn|switch|skip(?:s|ping)?|without)\b/giu;
const SETS_ASIDE = 'it holds a word that sets rules or safety aside';
const VERB = String.raw`(?:ignore|disregard|override|bypass|disable|skip|(?:turn|switch)\soff)`;
const GUARD = `(?:rules?|instructions?|guidelines?|polic(?:y|ies)|safety|safeguards?|guardrails?|restrictions?|limits?|permissions?|approvals?|confirmations?|checks?|reviews?|tests?|prompts?|hooks?|sandbox|logging|filters?|warnings?|users?|requests?|file|loop)`;
/** An order: the verb begins a sentence or follows a word such as `must`, or its object is `the`, `all` or `your` rules. */
const ORDERED: readonly RegExp[] = /* @__PURE__ */ [
  String.raw`(?:^\s*|\b(?:always|must|should|please|you|now|then|and|or|to|will|can|just|session)\s)${VERB}\s(?:\S+\s){0,4}?${GUARD}\b`,
  String.raw`\b(?:ignor|disregard|overrid|bypass|disabl|skip)\w{0,4}\s(?:the|all|any|every|your|these|those)\s(?:\S+\s){0,3}?${GUARD}\b`,
  String.raw`\b(?:turn|switch)\s(?:\S+\s){0,4}?off\b|\b(?:pretend|jailbreak)`,
  String.raw`\bwithout\s(?:\S+\s){0,3}?(?:approvals?|permissions?|confirmation|asking)\b`,
].map((source) => new RegExp(source, 'iu'));

/** Returns why the texts of a skill must not reach an agent before a person has read them. */
export function screenSkill({ description, whenNot = '', body }: SkillText): string | undefined {
  const inDescription = suspectIn(description) ?? suspectIn(whenNot);
  if (inDescription !== undefined) return `its description: ${inDescription}`;
  const plain = body.slice(0, MAX_BODY).replace(UNSEEN, '');
  const found = ORDERS.find(({ pattern }) => pattern.test(plain));
  return found && `its body: it holds ${found.what}`;
}

/** Addresses and names of commands are common in descriptions. */
function suspectIn(text: string): string | undefined {
  const seen = text.normalize('NFKC').replace(UNSEEN, '');
  const trap = [...ORDERS, ...CLAIMS].find(({ pattern }) => pattern.test(seen.replace(/\s+/g, ' ')));
  if (trap) return `it holds ${trap.what}`;
  for (const sentence of seen.split(/[.!?:;]+/)) {
    const plain = sentence
      .replace(/[^\p{L}\p{M}\s,'’]+/gu, ' ')
      .replace(COMMANDS, ' ')
      .replace(/\s+/g, ' ');
    const named = drafting.findSuspect(plain);
    const isOrder = named !== SETS_ASIDE || ORDERED.some((pattern) => pattern.test(plain));
    const found = isOrder ? named : drafting.findSuspect(plain.replace(ASIDE, ' '));
    if (found !== undefined && !/an act that cannot be undone|address/.test(found)) return found;
  }
  return undefined;
}
