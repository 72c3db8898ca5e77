import { spawnSync } from 'node:child_process';
import type { Command } from 'commander';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { programOf } from '../../integrations/cli/program.js';
import { type CodeBlock, codeBlocks, PAGES, readExample, readPage } from './code-blocks.js';

const CODE = ['ts', 'js'];
/** Languages of the docs. `text` is output, `console` is commands after `$` with their output. */
// Queries are run by test/integrations/stores/queries.slow.test.ts.
const KNOWN = [...CODE, 'sql', 'json', 'yaml', 'python', 'sh', 'console', 'text', 'md', 'html'];

interface Place extends CodeBlock {
  readonly page: string;
}

const blocks: readonly Place[] = PAGES.flatMap((page) =>
  codeBlocks(readPage(page)).map((block) => ({ ...block, page })),
);
const program = await programOf(() => {});

/** Returns a description for each block of the languages in which `problem` finds something. */
function found(languages: readonly string[], problem: (block: Place) => string | undefined): readonly string[] {
  return blocks
    .filter(({ language, isIndented }) => !isIndented && languages.includes(language))
    .flatMap((block) => {
      const why = problem(block);
      return why === undefined ? [] : [`${block.page}:${block.line} ${why}`];
    });
}

/** Returns the first error of syntax. */
function syntaxError(code: string): string | undefined {
  const { diagnostics = [] } = ts.transpileModule(code, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const [first] = diagnostics;
  return first && ts.flattenDiagnosticMessageText(first.messageText, ' ');
}

/** Returns what a code block lacks that readers need to trust it. */
function codeFault({ file, fragment, code }: CodeBlock): string | undefined {
  if (file === undefined) {
    if (fragment === undefined) return 'names no file in examples/ and does not say why: "fragment: <reason>"';
    return syntaxError(code);
  }
  const contents = readExample(file);
  if (contents === undefined) return `names ${file}, which does not exist`;
  return contents.trim() === code.trim() ? undefined : `differs from ${file}`;
}

/** Lines of a block that call the command of this package, from its verb on. */
function callsIn({ code }: CodeBlock): readonly string[] {
  return code.split('\n').flatMap((line) => {
    const call = /^(?:\$ |- run: |)(?:npx (?:-y )?)?(?:rsi|rsi-loop) (?!-loop)(.*)$/.exec(line.trim());
    return call?.[1] === undefined ? [] : [call[1].replace(/ {2,}.*$|\s#.*$/, '')];
  });
}

/** Returns what `rsi` would not understand in a line of the docs: an unknown verb or an unknown option. */
function commandFault(line: string): string | undefined {
  const [call = ''] = line.replace(/"[^"]*"|'[^']*'/g, 'text').split(/ (?:[|>]|&&) /);
  const words = call.split(/[\s[\]()]+/);
  const names = (words[0] ?? '').split('|');
  if (names[0]?.startsWith('-')) return undefined;
  const verbs = names.map((name) =>
    program.commands.find((verb) => verb.name() === name || verb.aliases().includes(name)),
  );
  const missing = names.find((_, index) => verbs[index] === undefined);
  if (missing !== undefined) return /^[<."]|^$/.test(missing) ? undefined : `rsi has no verb ${missing}`;
  const options = words.flatMap((word) => /^--[\w-]+/.exec(word)?.[0] ?? []);
  const has = (verb: Command, option: string) =>
    ['--help', '--version'].includes(option) || verb.options.some(({ long }) => long === option);
  const unknown = options.find((option) => !verbs.every((verb) => verb && has(verb, option)));
  return unknown && `rsi ${names[0]} has no option ${unknown}`;
}

/** Returns the last line that an interpreter prints for code it does not understand. */
function interpreted(command: string, args: readonly string[], code: string): string | undefined {
  const { status, stderr } = spawnSync(command, [...args], { input: code, encoding: 'utf8' });
  return status === 0 ? undefined : stderr.trim().split('\n').at(-1);
}

describe('a code block of the docs', () => {
  it('says its language', () => {
    const unknown = blocks.filter(({ language, isIndented }) => !isIndented && !KNOWN.includes(language));
    expect(unknown.map(({ page, line, language }) => `${page}:${line} ${language}`)).toEqual([]);
  });

  it('is a file in examples/, which tests run, or says why it cannot be one', () => {
    expect(found(CODE, codeFault)).toEqual([]);
  });

  it('is fenced if it is a program', () => {
    const programs = blocks.filter(({ isIndented, code }) => isIndented && /^import .* from '/m.test(code));
    expect(programs.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
  });

  it('parses: JSON', () => {
    const fault = ({ code, fragment }: CodeBlock) => {
      try {
        if (fragment === undefined) JSON.parse(code);
        return undefined;
      } catch (error) {
        return `${error}`;
      }
    };
    expect(found(['json'], fault)).toEqual([]);
  });

  it('parses: YAML', () => {
    const fault = ({ code }: CodeBlock) => {
      const [error] = parseDocument(code).errors;
      return error?.message;
    };
    expect(found(['yaml'], fault)).toEqual([]);
    expect(fault({ code: 'a: b: c' } as CodeBlock)).toContain('Nested mappings');
  });

  it('parses: shell and Python', () => {
    expect(found(['sh'], ({ code }) => interpreted('sh', ['-n'], code))).toEqual([]);
    const python = ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'];
    expect(found(['python'], ({ code }) => interpreted('python3', python, code))).toEqual([]);
  });

  it('calls verbs and options that rsi has', () => {
    const faults = blocks.flatMap((block) =>
      callsIn(block).flatMap((line) => {
        const fault = commandFault(line);
        return fault === undefined ? [] : [`${block.page}:${block.line} ${fault}: rsi ${line}`];
      }),
    );
    expect(blocks.flatMap(callsIn).length).toBeGreaterThan(35);
    expect(faults).toEqual([]);
  });
});

describe('the reader of code blocks', () => {
  const markdown = [
    '```sh\nnpm install rsi-loop\n```',
    '<!-- examples/one.ts -->\n\n```ts\none();\n```',
    '```js examples/two.js\ntwo();\n```',
    '```ts\nunnamed();\n```',
    '    rsi analyse --jason\n\n    more',
    '```ts fragment: yours\nthree(;\n```',
    '- a list\n\n    with a second paragraph',
  ].join('\n\ntext\n\n');
  const read = codeBlocks(markdown);

  it('finds the file or the reason that a block names, and indented blocks outside of lists', () => {
    expect(read.map(({ file }) => file)).toEqual([
      ...[undefined, 'examples/one.ts', 'examples/two.js', undefined, undefined, undefined],
    ]);
    expect(read.map(({ fragment }) => fragment).filter(Boolean)).toEqual(['yours']);
    expect(read[4]).toMatchObject({ isIndented: true, code: 'rsi analyse --jason\n\nmore\n' });
  });

  it('notices a block that differs from its file, lacks it, names none, or has an error', () => {
    expect(read.filter(({ language }) => CODE.includes(language)).map(codeFault)).toEqual([
      'names examples/one.ts, which does not exist',
      'names examples/two.js, which does not exist',
      'names no file in examples/ and does not say why: "fragment: <reason>"',
      "')' expected.",
    ]);
    expect(codeFault({ ...(read[3] as CodeBlock), file: 'examples/quickstart.ts' })).toContain('differs from');
  });

  it('notices a verb and an option that rsi lacks', () => {
    expect(read.flatMap(callsIn).map(commandFault)).toEqual(['rsi has no verb analyse']);
    expect(commandFault('analyze --jason x')).toBe('rsi analyze has no option --jason');
    expect(commandFault('approve|reject <id> [--by <name>]')).toBeUndefined();
  });
});
