import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readFrontMatter, writeFrontMatter } from '../../../integrations/skills/front-matter.js';

const skill = (head: string) => readFrontMatter(`---\n${head}\n---\n\n# Body\n`);

describe('the front matter of a SKILL.md', () => {
  it('reads what the standard uses, like a full reader of YAML', () => {
    const head = [
      'name: pdf-forms # a comment',
      'description: >-\n  Fill in forms.\n  Use it for PDF files.',
      "license: 'Apache-2.0'",
      'allowed-tools: [Read, Grep]',
      'metadata:\n  author: "an \\"author\\""\n  version: "1.2"',
    ].join('\n');
    const found = skill(head);
    const full = parse(head);
    expect(found).toMatchObject({ name: full.name, description: full.description, metadata: full.metadata });
    expect(found.fields).toEqual({ license: full.license, 'allowed-tools': full['allowed-tools'] });
    expect(found.body).toBe('# Body\n');
  });

  it('reads nested metadata, block scalars and escapes as published skills have them', () => {
    const found = skill(
      'name: 2048\ndescription: |2\n    two spaces\n  one\nmetadata: {author: me, hermes: {tags: [a, b]}}\nx: "\\x41"',
    );
    expect(found).toMatchObject({
      name: '2048',
      description: '  two spaces\none\n',
      metadata: { author: 'me', hermes: { tags: ['a', 'b'] } },
      fields: { x: 'A' },
    });
  });

  it.each([
    ['no front matter', '# Title', 'does not begin with ---'],
    ['no end', '---\nname: a\n', 'no second ---'],
    ['a field twice', '---\nname: a\nname: b\n---\n', 'line 3 of SKILL.md is not YAML (duplicated mapping key)'],
    ['an alias bomb', '---\nname: &b a\ndescription: *b\n---\n', 'is not YAML'],
    ['a tag', '---\nname: !!js/function a\ndescription: c\n---\n', 'is not YAML'],
    ['a tab', '---\nname: a\ndescription: b\nmetadata:\n\tx: y\n---\n', 'line 5 of SKILL.md is not YAML'],
    ['an open quote', '---\nname: a\ndescription: "b\n---\n', 'is not YAML'],
    ['no description', '---\nname: a\n---\n', 'has no field description'],
    ['no field', '---\nname: a\nnonsense\n---\n', 'is not YAML'],
    ['a list', '---\n- a\n---\n', 'is not a map'],
    ['metadata that are a list', '---\nname: a\ndescription: b\nmetadata: [1]\n---\n', 'metadata that are not a map'],
    ['a long head', `---\nname: a\ndescription: ${'x'.repeat(40_000)}\n---\n`, 'give at most 32768'],
    ['deep brackets', `---\nname: ${'['.repeat(30_000)}\n---\n`, 'is not YAML'],
  ])('rejects %s with its line, at once', (_, text, problem) => {
    const from = performance.now();
    expect(() => readFrontMatter(text)).toThrow(problem);
    expect(performance.now() - from).toBeLessThan(500);
  });

  it('reads back what it writes, and a full reader of YAML reads the same', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 80 }).map((text) => text.replace(/[\r\n]/g, ' '));
    const metadata = fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/), line);
    fc.assert(
      fc.property(line, metadata, (description, own) => {
        const text = writeFrontMatter({ name: 'a', description, metadata: own, body: 'b\n' });
        const found = readFrontMatter(text);
        expect(found).toEqual({ name: 'a', description, metadata: { ...own }, fields: {}, body: 'b\n' });
        expect(parse(text.split('\n---\n')[0] ?? '').description).toBe(description);
      }),
    );
  });
});
