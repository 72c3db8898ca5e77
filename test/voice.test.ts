import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** First words by which a doc comment names neither what a function does nor what a type is. */
const BAD_BEGINNING =
  /^(?:What|Where|Who|Whoever|So many|Those|One that|Somebody|Nobody|Told|Hears?|Gives?|Tells?|Takes in)\b/;
/** First words of any comment that name nothing. */
const VAGUE_BEGINNING = /^(?:What|Whoever|So many|Those|One that|Somebody|Nobody)\b/;
/** Phrases that readers have to translate, with what to write instead. */
const COINED: Readonly<Record<string, RegExp>> = {
  'name who it is': /\b(?:whoever|whatever|somebody|nobody)\b/i,
  always: /\bfor ever\b/i,
  'name who reports it': /\b(?:is|are|was|were) told\b/i,
  'creates, rebuilds': /\b(?:made )?anew\b/i,
  automatically: /\bby itself\b/i,
  immediately: /\bat once\b/i,
  'say the reason': /\bthereby\b|\bin vain\b/i,
  'is, is in': /\bstands? (?:in|under|between|beside|above|before|below)\b/i,
};
/** Further phrases for texts that users read. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  ...COINED,
  'rolled back, withdrawn': /\b(?:taken|takes it|take it) back\b/i,
  continues: /\b(?:goes|gone|went) on\b/i,
  'runs a cycle': /\bturns? (?:the|of the) loop\b/i,
  'is not a': /(?<!there )\bis no (?:JSON|object|option|limit|outcome|list|file|folder|id|day|link|regular|address)\b/i,
};
/** Texts for models, which are measured as they are, and the templates of rules. */
const FOR_MODELS =
  /^src\/(?:analyze\/ask-cause|fix\/ask-rule|fix\/rule-templates|fix\/rule-template-table)\.ts$|^src\/classify\//;

function phrasesIn(text: string, phrases: Readonly<Record<string, RegExp>>): readonly string[] {
  return Object.entries(phrases).flatMap(([better, phrase]) => {
    const found = phrase.exec(text)?.[0];
    return found === undefined ? [] : [`"${found}": ${better}`];
  });
}

/** Returns what is wrong with one comment. */
function problemsOf(comment: string): readonly string[] {
  // Names of code are quoted, and may be any word.
  const words = comment
    .replace(/^\/\*\*?|\*\/$|^\/\/|^\s*\*/gm, '')
    .replace(/`[^`]*`/g, 'x')
    .trim();
  const begins = (comment.startsWith('/**') ? BAD_BEGINNING : VAGUE_BEGINNING).exec(words)?.[0];
  return [
    ...(begins === undefined ? [] : [`begins with "${begins}": begin with a verb or a noun`]),
    ...phrasesIn(words, COINED),
  ];
}

/** Returns whether a text holds a forbidden phrase anywhere, in code too. Only such a file is worth parsing. */
function mayBreak(text: string): boolean {
  const beginsBadly =
    /(?:\/\*\*|\/\/)[\s*]*(?:What|Where|Who|So many|Those|One that|Somebody|Nobody|Told|Hear|Give|Tell|Take)/;
  return beginsBadly.test(text) || phrasesIn(text, COINED).length > 0;
}

function parsed(text: string, file: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
}

function commentsOf(text: string, file = 'x.ts'): readonly string[] {
  const found = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    const before = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
    const after = ts.getTrailingCommentRanges(text, node.getEnd()) ?? [];
    for (const { pos, end } of [...before, ...after]) found.set(pos, text.slice(pos, end));
    ts.forEachChild(node, visit);
  };
  visit(parsed(text, file));
  return [...found.values()];
}

/** Returns the string literals that hold words, with the fixed parts of templates. */
function stringsOf(text: string, file = 'x.ts'): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isPart = ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
    if (isPart || ts.isStringLiteralLike(node) || ts.isJsxText(node))
      if (node.text.includes(' ')) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(parsed(text, file));
  return found;
}

/** Returns the prose of a Markdown page: without code and without what programs print. */
function proseOf(page: string): string {
  return page
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/^(?: {4}|\t).*$/gm, '')
    .replace(/`[^`]*`/g, 'x')
    .replace(/"[^"\n]*"/g, 'x');
}

function filesIn(folder: string, ending: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`);
}

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const codeIn = (folders: readonly string[]) =>
  folders.flatMap((folder) => [...filesIn(folder, '.ts'), ...filesIn(folder, '.tsx'), ...filesIn(folder, '.mjs')]);
const sources = codeIn(['src', 'integrations']);
const commented = [...sources, ...codeIn(['test', 'scripts', 'examples', 'benchmarks', 'site'])];

describe('the rules of the voice', () => {
  it('hold for comments', () => {
    const found = commented.flatMap((file) => {
      const text = read(file);
      if (!mayBreak(text)) return [];
      return commentsOf(text, file).flatMap((comment) => problemsOf(comment).map((what) => `${file}: ${what}`));
    });
    expect(found).toEqual([]);
  });

  it('hold for what people read of the output: messages, reasons, help', () => {
    const found = sources
      .filter((file) => !FOR_MODELS.test(file))
      .flatMap((file) => {
        const text = read(file);
        if (phrasesIn(text, PRINTED).length === 0) return [];
        return stringsOf(text, file).flatMap((one) =>
          phrasesIn(one, PRINTED).map((what) => `${file}: ${what} in "${one}"`),
        );
      });
    expect(found).toEqual([]);
  });

  it('hold for the pages of docs, decisions and the README', () => {
    const pages = ['README.md', 'CONTRIBUTING.md', ...filesIn('docs', '.md')];
    const found = pages.flatMap((page) => phrasesIn(proseOf(read(page)), COINED).map((what) => `${page}: ${what}`));
    expect(found).toEqual([]);
  });

  it('notice each thing that they forbid', () => {
    const text = '/** What is told. */\nconst a = 1; // somebody\nfunction f() {\n  // fine\n  return a;\n}\n';
    expect(commentsOf(text)).toEqual(['/** What is told. */', '// somebody', '// fine']);
    expect(problemsOf('/** What is told. */')).toHaveLength(2);
    expect(problemsOf('// One that has ended.')).toEqual(['begins with "One that": begin with a verb or a noun']);
    expect(problemsOf('/** Where it is missing. */')).toHaveLength(1);
    expect(mayBreak('/**\n * Where it is missing. */')).toBe(true);
    expect(mayBreak(text)).toBe(true);
    expect(mayBreak('/** Returns the one that fits. */')).toBe(false);
    expect(problemsOf('// Retries at once.')).toEqual(['"at once": immediately']);
    expect(problemsOf('/** Returns `whoever`. */')).toEqual([]);
    expect(stringsOf("f('one', 'nobody knows', `a ` + `plain text`);")).toEqual(['nobody knows', 'a ', 'plain text']);
    expect(stringsOf('const a = <p>by nobody</p>;', 'x.tsx')).toEqual(['by nobody']);
    expect(phrasesIn(proseOf('A `nobody` page.\n\n    somebody prints\n\nIt waits for ever.'), COINED)).toHaveLength(1);
    expect(phrasesIn('the body is no JSON: it was taken back', PRINTED)).toHaveLength(2);
  });
});
