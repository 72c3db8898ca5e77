import { JSONParseError, TypeValidationError } from 'ai';
import { MemoryStore, RSILoop } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { tools } from '../../../integrations/clients/tools.js';
import { wordless } from '../../../integrations/clients/wordless.js';

const answer = '{"patient": "Alice", ';
const unparsed = new JSONParseError({ text: answer, cause: new SyntaxError('Unexpected token "Alice"') });

describe('errors that hold the words of an answer', () => {
  it.each([
    ['a parser that quotes', new SyntaxError('Unexpected token A, "Alice" is not valid JSON')],
    ['the AI SDK, of an answer that is no JSON', unparsed],
    ['the AI SDK, of one of the wrong shape', new TypeValidationError({ value: { name: 'Alice' }, cause: 'no age' })],
    ['an error that was caused by one', new Error('no object was generated', { cause: unparsed })],
  ])('say what happened and nothing of them: %s', (_name, error) => {
    expect(JSON.stringify(wordless(error))).not.toContain('Alice');
    expect(wordless(error)).toMatchObject({ name: error.name, message: expect.stringMatching(/./) });
  });

  it('are recorded without them, and reach the host as they are', async () => {
    const store = new MemoryStore();
    const loop = new RSILoop({ store });
    const wrapped = tools(loop, { extract: async () => Promise.reject(unparsed) });
    await expect(wrapped.extract()).rejects.toBe(unparsed);
    const records: unknown[] = [];
    for await (const { record } of store.journal.read()) records.push(record);
    expect(JSON.stringify(records)).toContain('JSON parsing failed');
    expect(JSON.stringify(records)).not.toContain('Alice');
    await loop.close();
  });

  it('are left alone where they hold none', () => {
    const error = new Error('429 Too Many Requests', { cause: new TypeError('fetch failed') });
    expect(wordless(error)).toBe(error);
    expect(wordless('text')).toBe('text');
  });
});
