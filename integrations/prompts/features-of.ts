import type { Features } from 'rsi-loop/kit';

/** Characters that are read for the language. */
const READ = 2_000;
/** Lengths in characters below which a text counts as short, medium or long. */
const LENGTHS = [
  ['short', 200],
  ['medium', 1_000],
  ['long', 5_000],
] as const;

/**
 * Returns the length and the language of a request, for the option `features` of a task. `length`: `short` (below 200
 * characters), `medium` (below 1,000), `long` (below 5,000) or `very-long`. `language`: a code such as `de`, guessed from
 * the script and from frequent words; `unknown` if the text does not tell.
 */
export function featuresOf(text: string): Features {
  const length = LENGTHS.find(([, below]) => text.length < below)?.[0] ?? 'very-long';
  return { length, language: languageOf(text.slice(0, READ)) };
}

/** Languages that are recognised by their script, the most specific first. */
const SCRIPTS: readonly (readonly [language: string, script: RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['uk', /[ґєії]/giu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['th', /\p{Script=Thai}/gu],
];
/** Share of the letters that a script needs. Letters of one language often occur in texts of another. */
const MIN_SCRIPT = 0.05;

/** Frequent words of languages in Latin script. A word of several languages counts for each. */
const WORDS: readonly (readonly [language: string, words: ReadonlySet<string>])[] = [
  ['en', words('the of and to in is it you that for on with are this be have not what how please can')],
  ['de', words('der die das und ist nicht ich sie wir ein eine zu mit für auf wie bitte kann dem den im von was')],
  ['fr', words('le la les des et est une un je vous que pour dans pas ne sur avec qui ce comment il au du')],
  ['es', words('el la los las de y es una un que para por no con se lo como mi su esta qué cómo del al')],
  ['it', words('il lo gli di e è una un che per non con si come mi del della sono questo ho nel')],
  ['pt', words('o os as de e é uma um que para não com se como por do da em meu está você no na')],
  ['nl', words('de het een en van is niet ik je dat op te met voor zijn wat hoe kan deze wij ook')],
  ['pl', words('i w nie na to się z jest że jak do co czy dla mnie proszę tego ten od po')],
  ['sv', words('och att det är en ett inte jag du som på för med av till hur kan den vad har')],
  ['tr', words('ve bir bu ne için ile de da mi çok nasıl var ben değil olarak gibi daha')],
];
/** Frequent words that a language needs, and the lead over the next one. */
const MIN_WORDS = 2;
const MIN_LEAD = 1;

function languageOf(text: string): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  for (const [language, script] of SCRIPTS) {
    const found = text.match(script)?.length ?? 0;
    if (found > 0 && found >= MIN_SCRIPT * letters) return language;
  }
  const said = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = WORDS.map(([language, own]) => ({ language, count: said.filter((word) => own.has(word)).length }));
  const [first, second] = counts.sort((one, other) => other.count - one.count);
  const isClear = first && first.count >= MIN_WORDS && first.count - (second?.count ?? 0) >= MIN_LEAD;
  return isClear ? first.language : 'unknown';
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
