import ts from 'typescript';

/** Characters that would continue the statement before a line break, so that its semicolon must stay. */
const CONTINUES = /[([`+\-/*,.?:%&|^<>=]/;

/**
 * Breaks minified code into lines that a person can read: at the ends of statements, whose semicolons a line break replaces,
 * before each `throw`, and inside of expressions where lines are longer than `limit`. Literals stay whole. Node prints the
 * whole source line of an error that no code caught.
 */
export function breakLines(code: string, limit: number): string {
  const file = ts.createSourceFile('chunk.js', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  /** Number of characters that the line break at a place replaces. */
  const breaks = new Map<number, 0 | 1>();
  const possible = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (ts.isThrowStatement(node)) breaks.set(node.getStart(file), 0);
    if (ts.isThrowStatement(node) && code[node.end] === '}') breaks.set(node.end, 0);
    // Breaks at regular places compress to almost nothing.
    if (ts.isFunctionDeclaration(node)) breaks.set(node.end, 0);
    if (ts.isBlock(node) && node.statements.length > 0) breaks.set(node.getStart(file) + 1, 0);
    if (endsInSemicolon(node, code)) breaks.set(node.end - 1, 1);
    for (const place of placesIn(node, code, file)) possible.add(place);
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const place of neededOf(possible, [...breaks.keys()], { limit, end: code.length })) {
    if (!breaks.has(place)) breaks.set(place, 0);
  }
  let [broken, from] = ['', 0];
  for (const [place, replaced] of [...breaks].sort(([one], [other]) => one - other)) {
    if (place === 0 || place === code.length || code[place - 1] === '\n' || code[place] === '\n') continue;
    broken += `${code.slice(from, place)}\n`;
    from = place + replaced;
  }
  return broken + code.slice(from);
}

/** Returns the length of the longest line, in which a string, a template or a regular expression counts as one character. */
export function longestLine(code: string): number {
  const file = ts.createSourceFile('chunk.js', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  let [short, from] = ['', 0];
  const visit = (node: ts.Node): void => {
    if (ts.isLiteralExpression(node) || ts.isTemplateExpression(node)) {
      short += `${code.slice(from, node.getStart(file))}"`;
      from = node.end;
    } else {
      ts.forEachChild(node, visit);
    }
  };
  visit(file);
  return Math.max(...(short + code.slice(from)).split('\n').map(({ length }) => length));
}

/** Returns whether a line break can stand for the semicolon at the end of the node. */
function endsInSemicolon(node: ts.Node, code: string): boolean {
  const next = code[node.end];
  if (!ts.isStatement(node) || code[node.end - 1] !== ';' || next === undefined || next === '\n') return false;
  return ENDED_BY_BREAK.has(node.kind) && !CONTINUES.test(next);
}

/** Statements whose semicolon belongs to them, and not to an empty statement inside of them. */
const ENDED_BY_BREAK: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.ExpressionStatement,
  ts.SyntaxKind.VariableStatement,
  ts.SyntaxKind.ReturnStatement,
  ts.SyntaxKind.ThrowStatement,
  ts.SyntaxKind.BreakStatement,
  ts.SyntaxKind.ContinueStatement,
  ts.SyntaxKind.ImportDeclaration,
  ts.SyntaxKind.ExportDeclaration,
]);

/** Returns the places in a node at which a line break changes nothing. */
function placesIn(node: ts.Node, code: string, file: ts.SourceFile): readonly number[] {
  if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isMethodDeclaration(node)) return [node.end];
  if (ts.isBlock(node) || ts.isCaseBlock(node)) return [node.getStart(file) + 1];
  if (ts.isConditionalExpression(node)) return [node.questionToken.end, node.colonToken.end];
  if (ts.isBinaryExpression(node)) return LOOSE.has(node.operatorToken.kind) ? [node.operatorToken.end] : [];
  if (ts.isCaseOrDefaultClause(node)) return [node.getStart(file)];
  return code[node.end] === ',' ? [node.end + 1] : [];
}

const LOOSE: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.CommaToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.PlusToken,
]);

/** Returns the fewest of the possible places that keep lines within the limit. */
function neededOf(
  possible: ReadonlySet<number>,
  fixed: readonly number[],
  { limit, end }: { readonly limit: number; readonly end: number },
): readonly number[] {
  const isFixed = new Set(fixed);
  const needed: number[] = [];
  let [start, best] = [0, 0];
  for (const place of [...new Set([...possible, ...fixed, end])].sort((one, other) => one - other)) {
    if (place - start > limit && best > start) {
      needed.push(best);
      start = best;
    }
    if (isFixed.has(place)) start = place;
    best = place;
  }
  return needed;
}
