import { describe, expect, it } from 'vitest';
import { readTraces } from '../../../../integrations/sources/sessions/read-traces.js';
import { findWrongStep } from '../../../../integrations/sources/sessions/wrong-step.js';

const group = (isCorrect: boolean, ...history: readonly (readonly [name: string, content: string])[]) =>
  JSON.stringify({
    question: 'How many?',
    is_correct: isCorrect,
    history: history.map(([name, content]) => ({ name, content, role: 'user' })),
  });
const code = (text: string) => `I will look it up.\n\`\`\`python\n${text}\n\`\`\``;
const stepOf = (text: string) => readTraces(text, 'run.json').map((trace) => findWrongStep(trace))[0];

const tool = (name: string, input: object, output: string) => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: name, function: { name, arguments: JSON.stringify(input) } }],
  },
  { role: 'tool', tool_call_id: name, name, content: output },
];
const run = (reward: number, ...messages: readonly object[]) =>
  JSON.stringify([{ task_id: 7, reward, traj: messages }]);

describe('findWrongStep', () => {
  it('blames the agent whose code failed first, not the one that speaks most', () => {
    const text = group(
      false,
      ['Planner', 'Find the number of boats.'],
      ['Reader_Expert', code('print(fetch("boats"))')],
      ['Computer_terminal', 'exitcode: 1 (execution failed)\nNameError: name fetch is not defined'],
      ['Planner', 'Let us try again.'],
      ['Planner', 'The answer is 12.'],
    );
    expect(stepOf(text)).toMatchObject({ agent: 'Reader_Expert', line: 1, why: 'its code failed' });
    expect(stepOf(text)?.proofs.map(({ line }) => line)).toEqual([1, 2]);
  });

  it('blames code that found nothing, or that computes with invented values', () => {
    const nothing = group(
      false,
      ['Planner', 'Find the table.'],
      ['Reader_Expert', code('print(tables)')],
      ['Computer_terminal', 'exitcode: 0 (execution succeeded)\nCode output: []'],
      ['Planner', 'It must be 4.'],
    );
    expect(stepOf(nothing)).toMatchObject({ agent: 'Reader_Expert', why: 'its code found nothing' });
    const invented = group(
      false,
      ['Planner', 'Compute the price.'],
      ['Price_Expert', `Assuming the price is 20.\n${code('print(20 * 5)')}`],
      ['Computer_terminal', 'exitcode: 0 (execution succeeded)\nCode output: 100'],
      ['Planner', 'The price is 100'],
    );
    expect(stepOf(invented)).toMatchObject({ agent: 'Price_Expert', why: 'its code computes with invented values' });
  });

  it('blames the change that made a later one impossible', () => {
    const text = run(
      0,
      { role: 'user', content: 'Change the items and the address of W1234567.' },
      ...tool('modify_order_items', { order_id: '#W1234567' }, '{"status": "pending (item modified)"}'),
      ...tool('modify_order_address', { order_id: '#W1234567' }, 'Error: non-pending order cannot be modified'),
      { role: 'assistant', content: 'The address cannot be changed.' },
    );
    expect(stepOf(text)).toMatchObject({
      agent: 'assistant',
      line: 1,
      why: 'modify_order_items changed what modify_order_address needed',
    });
  });

  it('is silent about runs that succeeded, and where nothing shows the step', () => {
    expect(
      stepOf(run(1, { role: 'user', content: 'Hi' }, ...tool('cancel_order', { id: 'W1234567' }, 'Error: locked'))),
    ).toBeUndefined();
    expect(
      stepOf(run(0, { role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Which order is it?' })),
    ).toBeUndefined();
  });
});
