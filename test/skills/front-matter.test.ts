import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readFrontMatter, writeFrontMatter } from '../../src/skills/front-matter.js';

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
    expect(parse(found.otherFields)).toEqual({ license: full.license, 'allowed-tools': full['allowed-tools'] });
    expect(found.body).toBe('# Body\n');
  });

  it.each([
    ['no front matter', '# Title', 'does not begin with ---'],
    ['no end', '---\nname: a\n', 'no second ---'],
    ['a field twice', '---\nname: a\nname: b\n---\n', 'line 3 of SKILL.md gives name twice'],
    ['an anchor', '---\nname: &a b\ndescription: c\n---\n', 'begins with &'],
    ['an alias bomb', '---\nname: a\ndescription: *b\n---\n', 'begins with *'],
    ['a tag', '---\nname: !!js/function a\ndescription: c\n---\n', 'begins with !'],
    ['a tab', '---\nname: a\ndescription: b\nmetadata:\n\tx: y\n---\n', 'line 5 of SKILL.md is indented by a tab'],
    ['an open quote', '---\nname: a\ndescription: "b\n---\n', 'does not end'],
    ['no description', '---\nname: a\n---\n', 'has no field description'],
    ['no field', '---\nname: a\nnonsense\n---\n', 'is not a field'],
  ])('rejects %s with its line', (_, text, problem) => {
    expect(() => readFrontMatter(text)).toThrow(problem);
  });

  it('reads back what it writes, and a full reader of YAML reads the same', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 80 }).map((text) => text.replace(/[\r\n]/g, ' '));
    const metadata = fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/), line);
    fc.assert(
      fc.property(line, metadata, (description, own) => {
        const text = writeFrontMatter({ name: 'a', description, metadata: own, otherFields: '', body: 'b\n' });
        const found = readFrontMatter(text);
        expect(found).toEqual({ name: 'a', description, metadata: { ...own }, otherFields: '', body: 'b\n' });
        expect(parse(text.split('\n---\n')[0] ?? '').description).toBe(description);
      }),
    );
  });
});
