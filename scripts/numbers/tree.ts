import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, posix, resolve } from 'node:path';
import ts from 'typescript';

export const ROOT = resolve(import.meta.dirname, '../..');

/** Text of each source file, by its path in the project. */
export type Tree = ReadonlyMap<string, string>;

/** Returns the files of these folders with these endings. */
export function readTree(folders: readonly string[], endings: RegExp): Tree {
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => endings.test(file))
      .map((file) => posix.join(folder, file.replaceAll('\\', '/'))),
  );
  return new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
}

/** Returns the number of files in a folder, and of their lines. */
export function sizeOf(tree: Tree, folder: string): { readonly lines: number; readonly files: number } {
  const texts = [...tree].flatMap(([file, text]) => (file.startsWith(folder) ? [text] : []));
  return { files: texts.length, lines: texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0) };
}

/** Returns every import of a file in one folder that leads to a file in another one, past its entry points. */
export function deepImports(tree: Tree, from: string, to: string): readonly string[] {
  return [...importsIn(tree)].flatMap(([file, targets]) =>
    file.startsWith(from) ? targets.filter((target) => target.startsWith(to)).map((target) => `${file} ${target}`) : [],
  );
}

/** Returns the folders of `src` and how many pairs of them import one another. */
export function roomsOf(tree: Tree): { readonly rooms: number; readonly arrows: number } {
  const roomOf = (file: string) => /^src\/(\w+)\//.exec(file)?.[1];
  const rooms = new Set<string>();
  const arrows = new Set<string>();
  for (const [file, targets] of importsIn(tree)) {
    const room = roomOf(file);
    if (room === undefined) continue;
    rooms.add(room);
    for (const target of targets) {
      const other = roomOf(target);
      if (other !== undefined && other !== room) arrows.add(`${room} > ${other}`);
    }
  }
  return { rooms: rooms.size, arrows: arrows.size };
}

/** Returns the names that more than two files have, except the entry points of folders. */
export function namesOfMany(tree: Tree): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  for (const file of tree.keys()) byName.set(basename(file), [...(byName.get(basename(file)) ?? []), file]);
  return new Map([...byName].filter(([name, files]) => files.length > 2 && name !== 'index.ts'));
}

/** Returns how many values and types a file exports. */
export function exportsOf(text: string): { readonly values: number; readonly types: number } {
  const { statements } = ts.createSourceFile('a.ts', text, ts.ScriptTarget.ES2022, true);
  let values = 0;
  let types = 0;
  for (const statement of statements) {
    if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)) {
      for (const { isTypeOnly } of statement.exportClause.elements) {
        if (isTypeOnly || statement.isTypeOnly) types++;
        else values++;
      }
    } else if (ts.isVariableStatement(statement) && isExported(statement)) {
      values += statement.declarationList.declarations.length;
    }
  }
  return { values, types };
}

function isExported(statement: ts.VariableStatement): boolean {
  return (statement.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

/** Files that each file imports by a path, for values or types. */
function importsIn(tree: Tree): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...tree].map(([file, text]) => [
      file,
      ts
        .preProcessFile(text)
        .importedFiles.flatMap(({ fileName }) =>
          fileName.startsWith('.') ? [posix.join(posix.dirname(file), fileName).replace(/\.js$/, '.ts')] : [],
        ),
    ]),
  );
}
