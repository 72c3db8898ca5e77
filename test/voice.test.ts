import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** First words by which a doc comment names neither what a function does nor what a type is. */
const BAD_BEGINNING =
  /^(?:What|Where|Who|Whoever|So many|Those|One that|Somebody|Nobody|Told|Hears?|Gives?|Tells?|Takes in)\b/;
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
  const begins = comment.startsWith('/**') ? BAD_BEGINNING.exec(words)?.[0] : undefined;
  return [
    ...(begins === undefined ? [] : [`begins with "${begins}": begin with a verb or a noun`]),
    ...phrasesIn(words, COINED),
  ];
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
const sources = ['src', 'integrations'].flatMap((folder) => [...filesIn(folder, '.ts'), ...filesIn(folder, '.tsx')]);

describe('the rules of the voice', () => {
  it('hold for comments', () => {
    const found = sources.flatMap((file) =>
      commentsOf(read(file), file).flatMap((comment) => problemsOf(comment).map((what) => `${file}: ${what}`)),
    );
    expect(found).toEqual([]);
  });

  it('hold for what people read of the output: messages, reasons, help', () => {
    const found = sources
      .filter((file) => !FOR_MODELS.test(file))
      .flatMap((file) =>
        stringsOf(read(file), file).flatMap((text) =>
          phrasesIn(text, PRINTED).map((what) => `${file}: ${what} in "${text}"`),
        ),
      );
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
    expect(problemsOf('// Retries at once.')).toEqual(['"at once": immediately']);
    expect(problemsOf('/** Returns `whoever`. */')).toEqual([]);
    expect(stringsOf("f('one', 'nobody knows', `a ` + `plain text`);")).toEqual(['nobody knows', 'a ', 'plain text']);
    expect(stringsOf('const a = <p>by nobody</p>;', 'x.tsx')).toEqual(['by nobody']);
    expect(phrasesIn(proseOf('A `nobody` page.\n\n    somebody prints\n\nIt waits for ever.'), COINED)).toHaveLength(1);
    expect(phrasesIn('the body is no JSON: it was taken back', PRINTED)).toHaveLength(2);
  });
});
