import ts from 'typescript';
import type { Callable, Field, Shape } from './shape.js';

/** Depth of options inside options that are read. */
const DEEPEST = 3;
/** Types of which `parts.ts` creates a real one. */
const PARTS: ReadonlySet<string> = new Set([
  'RSILoop',
  'Store',
  'FileStore',
  'Model',
  'Clock',
  'Sandbox',
  'Destination',
  'Workspace',
  'RegExp',
  'Readable',
  'Writable',
]);

/** Reads from the sources of each door which functions and classes it exports, and the forms of their parameters. */
export function readShapes(doors: Readonly<Record<string, string>>): ReadonlyMap<string, readonly Callable[]> {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
  const program = ts.createProgram(Object.values(doors), { ...options, noEmit: true });
  const reader = new ShapeReader(program.getTypeChecker());
  return new Map(
    Object.entries(doors).map(([door, source]) => {
      const file = program.getSourceFile(source);
      if (file === undefined) throw new Error(`${source} is not part of the program`);
      return [door, reader.callables(file)];
    }),
  );
}

class ShapeReader {
  readonly #checker: ts.TypeChecker;

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  callables(file: ts.SourceFile): readonly Callable[] {
    const door = this.#checker.getSymbolAtLocation(file);
    return (door === undefined ? [] : this.#checker.getExportsOfModule(door)).flatMap((symbol) => {
      const type = this.#checker.getTypeOfSymbolAtLocation(symbol, file);
      const [made] = type.getConstructSignatures();
      const signature = made ?? type.getCallSignatures().at(-1);
      if (signature === undefined) return [];
      const parameters = signature.parameters.map((one) => ({
        name: one.name,
        shape: this.#shapeOf(this.#typeOf(one, file), one.name, 0, file),
      }));
      return [{ name: symbol.name, isClass: made !== undefined, parameters }];
    });
  }

  #typeOf(symbol: ts.Symbol, at: ts.Node): ts.Type {
    return this.#checker.getTypeOfSymbolAtLocation(symbol, at);
  }

  #shapeOf(whole: ts.Type, name: string, depth: number, at: ts.Node): Shape {
    const type = this.#chosen(whole);
    const named = (type.aliasSymbol ?? type.getSymbol())?.name;
    if (named !== undefined && PARTS.has(named)) return { kind: 'part', name: named };
    if (type.isLiteral()) return { kind: 'value', value: literal(type.value) };
    if (type.flags & ts.TypeFlags.BooleanLike) return { kind: 'value', value: true };
    if (type.flags & ts.TypeFlags.StringLike) return { kind: 'text', name };
    if (type.flags & ts.TypeFlags.NumberLike) return { kind: 'value', value: 1 };
    if (type.flags & ts.TypeFlags.Null) return { kind: 'value', value: null };
    if (type.getCallSignatures().length > 0) return { kind: 'function' };
    if (this.#checker.isArrayLikeType(type)) return { kind: 'list' };
    if (!(type.flags & ts.TypeFlags.Object || type.isIntersection()) || depth > DEEPEST) return { kind: 'nothing' };
    return { kind: 'object', fields: this.#fieldsOf(type, depth, at) };
  }

  #fieldsOf(type: ts.Type, depth: number, at: ts.Node): Readonly<Record<string, Field>> {
    const fields = type.getProperties().filter(({ name }) => !name.startsWith('__'));
    return Object.fromEntries(
      fields.map((field): [string, Field] => [
        field.name,
        {
          shape: this.#shapeOf(this.#typeOf(field, at), field.name, depth + 1, at),
          isOptional: (field.flags & ts.SymbolFlags.Optional) !== 0,
        },
      ]),
    );
  }

  /** Of several types, the first that is a value; of a type parameter, its bound. */
  #chosen(type: ts.Type): ts.Type {
    if (type.isUnion()) {
      const nothing = ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Null | ts.TypeFlags.Never;
      const some = type.types.find((one) => !(one.flags & nothing));
      return some === undefined ? type : this.#chosen(some);
    }
    const bound = type.isTypeParameter() ? this.#checker.getBaseConstraintOfType(type) : undefined;
    return bound ?? type;
  }
}

function literal(value: string | number | ts.PseudoBigInt): string | number {
  return typeof value === 'object' ? value.base10Value : value;
}
