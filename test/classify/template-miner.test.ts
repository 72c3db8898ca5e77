import { describe, expect, it } from 'vitest';
import { TemplateMiner } from '../../src/classify/template-miner.js';

describe('TemplateMiner', () => {
  it('puts messages that differ in their variable parts into one group and shows the parts as <*>', () => {
    const miner = new TemplateMiner();
    const first = miner.add('request 17 took 20 ms');
    const second = miner.add('request 9 took 3110 ms');
    expect(first).toEqual({ id: second.id, template: 'request <*> took <*> ms', isNew: true });
    expect(second.isNew).toBe(false);
  });
});
