import ts from 'typescript';

/**
 * Marks the calls that compute the constants of a file as free of effects, which minifying forgets. So bundlers of users
 * leave out constants that nothing uses. It holds for all files of the library: nothing happens when they are imported.
 */
export function markPure(code: string): string {
  const file = ts.createSourceFile('chunk.js', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const places = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return;
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) places.add(node.getStart(file));
    ts.forEachChild(node, visit);
  };
  for (const statement of file.statements) if (ts.isVariableStatement(statement)) visit(statement);
  let [marked, from] = ['', 0];
  for (const place of [...places].sort((a, b) => a - b)) {
    marked += `${code.slice(from, place)}/* @__PURE__ */`;
    from = place;
  }
  return marked + code.slice(from);
}
