import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** First words by which a doc comment names neither what a function does nor what a type is. */
const BAD_BEGINNING =
  /^(?:What|Where|Who|Whoever|So many|Those|One that|Somebody|Nobody|Told|Hears?|Gives?|Tells?|Takes in)\b/;
/** Phrases that readers have to translate, with what to write instead. */
const COINED: Readonly<Record<string, RegExp>> = {
  'name who it is': /\b(?:whoever|whatever|somebody|nobody)\b/i,
  always: /\bfor ever\b/i,
  'name who reports it': /\b(?:is|are|was) told\b/i,
  'creates, rebuilds': /\b(?:made )?anew\b/i,
  automatically: /\bby itself\b/i,
  immediately: /\bat once\b/i,
  'say the reason': /\bthereby\b|\bin vain\b/i,
};

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
    ...Object.entries(COINED).flatMap(([better, phrase]) => {
      const found = phrase.exec(words)?.[0];
      return found === undefined ? [] : [`"${found}": ${better}`];
    }),
  ];
}

function commentsOf(text: string): readonly string[] {
  const source = ts.createSourceFile('x.ts', text, ts.ScriptTarget.ES2022, true);
  const found = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    const before = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
    const after = ts.getTrailingCommentRanges(text, node.getEnd()) ?? [];
    for (const { pos, end } of [...before, ...after]) found.set(pos, text.slice(pos, end));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found.values()];
}

describe('comments', () => {
  it('are plain English, by the rules of the voice', () => {
    const root = resolve(import.meta.dirname, '..');
    const found = ['src', 'integrations'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .flatMap((file) => {
          const comments = commentsOf(readFileSync(join(root, folder, file), 'utf8'));
          return comments.flatMap((comment) => problemsOf(comment).map((what) => `${folder}/${file}: ${what}`));
        }),
    );
    expect(found).toEqual([]);
  });

  it('are found wherever they stand, and each rule notices what it forbids', () => {
    const text = '/** What is told. */\nconst a = 1; // somebody\nfunction f() {\n  // fine\n  return a;\n}\n';
    expect(commentsOf(text)).toEqual(['/** What is told. */', '// somebody', '// fine']);
    expect(problemsOf('/** What is told. */')).toHaveLength(2);
    expect(problemsOf('// Retries at once.')).toEqual(['"at once": immediately']);
    expect(problemsOf('/** Returns `whoever`. */')).toEqual([]);
  });
});
