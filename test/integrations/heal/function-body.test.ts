import { describe, expect, it } from 'vitest';
import { blanked } from '../../../integrations/heal/blanked.js';
import { findFunction, withBody } from '../../../integrations/heal/function-body.js';

/** The body of a function in a source. */
function bodyOf(source: string, name: string, line?: number): string | undefined {
  const found = findFunction(source, name, line);
  return found && source.slice(found.bodyStart, found.bodyEnd);
}

describe('findFunction', () => {
  it.each([
    ['export function price(item) { return 1; }', ' return 1; '],
    [
      'export async function price<T extends { a: 1 }>(item: { b: string }): Promise<void> { return 2; }',
      ' return 2; ',
    ],
    ['function* price({ a } = {}) { yield 3; }', ' yield 3; '],
    ['const price = async (item) => { return 4; };', ' return 4; '],
    ['export const price = function named(item) { return 5; };', ' return 5; '],
    ['class Shop { async price(item): Promise<{ a: number }> { return 6; } }', ' return 6; '],
    ['function price(): { a: number } { return 7; }', ' return 7; '],
    ['// function price() { no }\nconst text = "price() { no }";\nfunction price() { return 8; }', ' return 8; '],
  ])('finds the body in %j', (source, body) => {
    expect(bodyOf(source, 'price')).toBe(body);
  });

  it.each([
    'price(1);',
    'const price = (item) => item;',
    'const prices = () => { no };',
    'shop.price(function () { no });',
    'function price(',
    'function price() { return `\u0024{`; }',
  ])('finds none in %j', (source) => {
    expect(bodyOf(source, 'price')).toBeUndefined();
  });

  it('takes the one around a line if there are several of the name', () => {
    const source = 'class A {\n  run() {\n    return 1;\n  }\n}\nclass B {\n  run() {\n    return 2;\n  }\n}\n';
    expect(bodyOf(source, 'run')).toBeUndefined();
    expect(bodyOf(source, 'run', 8)).toContain('return 2;');
    expect(bodyOf(source, 'run', 3)).toContain('return 1;');
  });
});

describe('withBody', () => {
  const source = 'export function price() { return 1; }\nexport const other = 2;\n';
  const replace = (body: string) => {
    const found = findFunction(source, 'price');
    return found && withBody(source, found, body);
  };

  it('changes the body and nothing else', () => {
    expect(replace(' return 2; ')).toBe('export function price() { return 2; }\nexport const other = 2;\n');
    const tricky = " const text = '}'; return /[}/]/.test(`}\u0024{text + `}`}`) ? 1 / 2 : 3; // }\n";
    expect(replace(tricky)).toContain(tricky);
  });

  it.each([' } evil(); {', ' return (1; ', " return '", ' return `', ' /* ', ' if (a) { ', ' a++ / } + evil() / 2 '])(
    'rejects a body that does not end inside of the function: %j',
    (body) => {
      expect(replace(body)).toBeUndefined();
    },
  );
});

describe('blanked', () => {
  it('keeps positions and lines, and tells a division from a regular expression', () => {
    const source = 'const a = b / c; // x\nreturn /[/"]+/g.test("/") && (1) / 2;';
    const code = blanked(source) ?? '';
    expect(code).toHaveLength(source.length);
    expect(code.split('\n')).toHaveLength(2);
    expect(code.replace(/ +/g, ' ')).toBe('const a = b / c; \nreturn g.test( ) && (1) / 2;');
  });
});
