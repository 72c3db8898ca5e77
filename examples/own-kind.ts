import { type ChangeKind, type CustomChange, RSILoop } from 'rsi-loop';

const prompts: ChangeKind<CustomChange> = {
  kind: 'my.prompt',
  *propose({ pattern }) {
    if (pattern.issue !== 'wrong_output') return;
    const change: CustomChange = {
      kind: 'my.prompt',
      scope: { task: pattern.task },
      content: { system: 'Answer in three sentences.' },
      undo: { system: 'You are a helpful assistant.' },
    };
    yield { target: 'system', change, details: () => ({ reason: `a stricter prompt against ${pattern.issue}` }) };
  },
  content: ({ content }) => content,
  effect: ({ content }) => ({ given: content }), // what a task with the change gets
  describe: ({ change }) => ({
    title: `system prompt: ${change.content.system}`,
    undo: `system prompt: ${change.undo.system}`,
    inForce: 'every task gets the prompt',
    rolledBack: 'every task gets the prompt before',
  }),
};

const loop = new RSILoop({ kinds: [prompts] });
const answer = await loop.run('summarize', async ({ given }) => {
  const system = given[0]?.system ?? 'You are a helpful assistant.';
  return `answered under: ${system}`;
});
console.log(answer);
await loop.close();
