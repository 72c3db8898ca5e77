import { describe, expect, it } from 'vitest';
import { jsonOf } from '../../src/node/json-of.js';

describe('the text of a parsed value', () => {
  it('is that of JSON.stringify, also for values nested too deeply for it', () => {
    const small = '{"a":[1,"x\\u0000",null,true,{}],"b":{"c":[]}}';
    expect(jsonOf(JSON.parse(small))).toBe(JSON.stringify(JSON.parse(small)));
    const deep = `{"n":3,"outcome":${'[{"a":'.repeat(20_000)}[]${',"b":1}]'.repeat(20_000)}}`;
    expect(jsonOf(JSON.parse(deep)) === deep).toBe(true);
  });
});
