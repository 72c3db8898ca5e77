import { RSILoop } from 'rsi-loop';
import { judge } from 'rsi-loop/bench';
import { proposer } from 'rsi-loop/improve';
import { planner } from 'rsi-loop/orchestrate';
import { supervise } from 'rsi-loop/oversee';
import { promptWriter } from 'rsi-loop/prompts';
import { openSkills } from 'rsi-loop/skills';
import { describe, expect, it } from 'vitest';

const loop = new RSILoop();
// A model of another library, which has other methods.
const model = { name: 'other', generate: () => 'text' } as never;

describe('something that is not a model', () => {
  it.each<[string, () => unknown]>([
    ['openSkills', () => openSkills(loop, { folder: './skills', model })],
    ['planner', () => planner(model, { about: 'research', workers: { search: 'searches' } })],
    ['judge', () => judge({ model, instructions: 'Grade it.' })],
    ['proposer', () => proposer(model, { texts: { system: 'Answer.' } })],
    ['promptWriter', () => promptWriter({ model })],
    ['supervise', () => supervise(loop, { opinion: model })],
  ])('is rejected by %s at once', (_, give) => {
    expect(give).toThrow(/model is .*: give a Model, such as those of rsi-loop\/models/);
  });
});
