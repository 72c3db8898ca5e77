import { type Call, type Step, type Trace, turnsOf } from './trace.js';

/** Word of a user that the agent's work was not what was wanted. */
export interface Correction {
  readonly kind: 'interrupt' | 'refusal' | 'said' | 'again';
  /** Words of the user; empty for an interrupt without any. */
  readonly said: string;
  /** Last call before it. */
  readonly after: Call | undefined;
  readonly session: string;
  readonly path: string;
  readonly line: number;
  readonly atMs?: number | undefined;
}

/** Words at the beginning of a message that reject what was done, in the languages that most users write. */
const AT_START: readonly RegExp[] = [
  /^(?:no+\b|nope|nah\b|wrong\b|ugh\b|hmm?,? (?:no|that|this)|stop\b|wait\b|hold on|undo\b|revert\b|incorrect\b|not (?:as|like|what|that|quite|right|good|there)|that['’]?s (?:not|wrong|incorrect)|this (?:is (?:not|wrong|still)|should not|isn['’]t|does(?:n['’]t| not))|that (?:is (?:not|wrong)|does(?:n['’]t| not)|did(?:n['’]t| not)|broke)|it(?:['’]?s| is)? (?:still|not|wrong)|still (?:fail|broke|not|no\b|the same|does|get|wrong|see)|you (?:broke|forgot|missed|ignored|did(?:n['’]t| not)|should(?:n['’]t| not)? have|were (?:not )?(?:supposed|asked)|removed|deleted|just should)|i (?:asked|said|told you|meant|did(?:n['’]t| not) (?:ask|want|mean|say))|why (?:did|are|do|have) you|do(?:n['’]t| not) (?:do|stash|touch|change|run|use|commit|push|add|remove|delete|edit|create|write|make)|put (?:it|that|this) back|but (?:this|that|it|we|you|i|then|now|is|the|did)\b)/i,
  /^(?:nein\b|nee\b|falsch\b|stopp?\b|das (?:ist (?:falsch|nicht)|stimmt nicht|war nicht|geht nicht|funktioniert (?:immer noch )?nicht)|immer noch|nicht (?:so|das|dieses?|was)|ich (?:habe|hatte|wollte|meinte)\b.{0,40}(?:nicht|gesagt|gebeten|gemeint)|warum hast du|mach (?:das )?(?:wieder )?rückgängig|rückgängig|du (?:hast|solltest)\b.{0,40}(?:vergessen|nicht|kaputt))/i,
  /^(?:non\b|faux\b|arr[êe]te|ce n['’]est pas|ça ne (?:marche|fonctionne)|toujours (?:pas|la même|cassé)|j['’]ai (?:dit|demandé)|pourquoi (?:as|avez)|annule|tu as (?:oublié|cassé)|pas (?:ça|comme))/i,
  /^(?:no,|no es\b|est[áa] mal|incorrecto\b|para\b|detente\b|eso no|esto no|sigue (?:sin|fallando)|todav[ií]a (?:no|falla)|te (?:dije|ped[ií])|por qu[ée] (?:has|hiciste)|deshaz|revierte|no (?:quer[ií]a|ped[ií]))/i,
  /^(?:n[ãa]o\b|errado\b|est[áa] errado|pare\b|isso n[ãa]o|ainda (?:n[ãa]o|falha)|eu (?:disse|pedi)|por que voc[êe]|desfa[çz]a)/i,
  /^(?:no,|sbagliato\b|non (?:è|funziona|era|volevo)|fermati|ancora (?:non|rotto)|ho (?:detto|chiesto)|perch[ée] hai|annulla)/i,
  /^(?:nee\b|fout\b|verkeerd\b|dat (?:klopt niet|is (?:niet|fout))|werkt (?:nog )?niet|nog steeds|ik (?:zei|vroeg|bedoelde)|waarom heb je|draai .{0,20}terug)/i,
  /^(?:нет|не (?:так|то|работает|надо|нужно|трогай)|неправильно|неверно|стоп|вс[её] ещ[её]|опять|я (?:просил|сказал|имел)|почему ты|верни|отмени|это не)/i,
  /^(?:ні\b|не (?:так|те|працює)|неправильно|досі|я (?:просив|казав)|чому ти|поверни)/i,
  /^(?:nie\b|[źz]le|to nie|nadal|wci[ąa][żz]|prosi[łl]em|m[óo]wi[łl]em|dlaczego|cofnij)/i,
  /^(?:hay[ıi]r|yanl[ıi][şs]|h[âa]l[âa]|ben .{0,30}(?:demedim|istemedim)|geri al|neden)/i,
  /^(?:不(?:对|是|要|行|可以)|错了?|还是(?:不|报错|失败|有)|仍然|我(?:说|要|让你|问)的?(?:是|不)|为什么(?:你)?|撤销|回滚|停|別|别)/,
  /^(?:いや|違(?:う|い)|ちが(?:う|い)|まだ|間違|そうじゃ|やめて|止めて|元に戻|なぜ|なんで|してない|.{0,12}(?:ではなく|じゃなくて))/,
  /^(?:아니|틀렸|아직|여전히|그게 아니|왜|되돌려|멈춰|하지 ?마)/,
];

/** Statements anywhere in a short message that something of the work is wrong. */
const ANYWHERE: readonly RegExp[] = [
  /\b(?:is|are) (?:still |now )?(?:failing|broken|wrong|messed up|not working)\b|\b(?:does|do)(?:n['’]t| not) work\b|\bstill (?:fails?|failing|broken|does(?:n['’]t| not)|do(?:n['’]t| not)|not|happens|getting|see)\b/i,
  /\b(?:that|this|it|which) (?:is|was) (?:not|n['’]t) (?:correct|right|true|what)\b|\b(?:is|was)n['’]t (?:correct|right|what i)\b|\bnot what i\b|\bshould(?:n['’]t| not) (?:be|have)\b/i,
  /\byou (?:broke|forgot|missed|ignored|misunderstood|(?:already )?(?:deleted|removed|overwrote))\b|\byou(?:['’]ve| have) (?:broken|forgotten|missed|deleted|attached|put)\b|\b(?:revert|undo) (?:that|this|it|your|the last)\b|\bi (?:do(?:n['’]t| not)) (?:quite )?(?:like|want)\b/i,
];

/** A message without a single word of rejection is none, however it begins. */
const FRIENDLY =
  /^(?:no (?:problem|worries|rush|need to|thanks?|more)\b|nein danke|wait for|not sure|stop (?:the|after)|no,? (?:thanks?|that['’]?s (?:all|fine|it)|all good|go ahead|you can)|but (?:first|before)|that['’]?s (?:not bad|fine|great))/i;
const MAX_CHARS = 700;
const START_CHARS = 160;

/** Returns whether a message of a user says that the work was not what was wanted. */
export function isCorrection(text: string): boolean {
  const said = text.trim();
  if (said.length > MAX_CHARS || FRIENDLY.test(said)) return false;
  if (AT_START.some((sign) => sign.test(said.slice(0, START_CHARS)))) return true;
  const head = said.split(/\n\s*\n/)[0]?.slice(0, 300) ?? '';
  return ANYWHERE.some((sign) => sign.test(head));
}

/** Tools that ask: an answer to them refuses no work. */
const ASKS = /^(?:exitplanmode|enterplanmode|askuserquestion)$/i;

/** Finds interrupts, refusals, corrections and repeated requests of a session. */
export function findCorrections(trace: Trace): readonly Correction[] {
  const found: Correction[] = [];
  const asked: Asked[] = [];
  let after: Call | undefined;
  let wasInterrupt = false;
  for (const { request, steps } of turnsOf(trace)) {
    const kind = request && kindOf(request, asked, { hasWorked: after !== undefined, wasInterrupt });
    if (request && kind)
      found.push(correctionOf(kind, kind === 'interrupt' ? '' : request.text, { trace, after, at: request }));
    if (request) wasInterrupt = request.isInterrupt === true;
    if (request && !wasInterrupt) asked.push({ words: wordsOf(request.text) });
    found.push(...refusalsIn(steps, trace));
    after = steps.flatMap(({ calls }) => calls).at(-1) ?? after;
  }
  return found;
}

function refusalsIn(steps: readonly Step[], trace: Trace): readonly Correction[] {
  return steps.flatMap((at) =>
    at.calls.flatMap((after) =>
      after.refused === undefined || ASKS.test(after.tool)
        ? []
        : [correctionOf('refusal', after.refused.said, { trace, after, at })],
    ),
  );
}

interface Asked {
  readonly words: ReadonlySet<string>;
}

function correctionOf(
  kind: Correction['kind'],
  said: string,
  { trace, after, at }: { readonly trace: Trace; readonly after: Call | undefined; readonly at: Step },
): Correction {
  return { kind, said: said.trim(), after, session: trace.session, path: trace.path, line: at.line, atMs: at.atMs };
}

function kindOf(
  { text, isInterrupt }: Step,
  asked: readonly Asked[],
  { hasWorked, wasInterrupt }: { readonly hasWorked: boolean; readonly wasInterrupt: boolean },
): Correction['kind'] | undefined {
  if (isInterrupt) return 'interrupt';
  if (asked.length === 0) return undefined;
  const words = wordsOf(text);
  // After an interrupt the same words again only complete them.
  if (
    hasWorked &&
    words.size >= MIN_WORDS &&
    !wasInterrupt &&
    asked.some((other) => likeness(words, other.words) >= SAME)
  )
    return 'again';
  return hasWorked && isCorrection(text) ? 'said' : undefined;
}

const MIN_WORDS = 5;
const SAME = 0.85;

/** Returns the words of a text, lower-case. */
export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .slice(0, MAX_CHARS)
      .toLowerCase()
      .match(/[\p{L}\p{N}_./-]{2,}/gu) ?? [],
  );
}

/** Returns the share of common words, 0 to 1. */
export function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const word of one) if (other.has(word)) common++;
  return common === 0 ? 0 : common / (one.size + other.size - common);
}
