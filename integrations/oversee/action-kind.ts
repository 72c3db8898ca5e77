import type { ChangeKind, CustomChange } from 'rsi-loop';
import { type LoopHandle, partsOf } from 'rsi-loop/kit';

/** Kind of the question whether an agent may run one action. */
export const ACTION: CustomChange['kind'] = 'my.action';

/** Class of the fixes that ask a person about an action. */
export const CONFIRMATION = 'confirmation';

/** Creates the kind of question that an action gate asks: a person decides, and nothing is ever tried. */
function actionKind(): ChangeKind<CustomChange> {
  return {
    kind: ACTION,
    propose: () => [],
    effect: () => ({}),
    content: ({ content }) => content,
    isAlike: () => false,
    sets: () => [],
    needs: () => 'the agent runs it',
    describe: ({ target, change }) => ({
      title: `${target}: ${String(change.content.arguments ?? '')}`,
      undo: 'nothing: an action that ran cannot be undone here',
      inForce: 'the agent may run it once',
      rolledBack: 'the agent may not run it',
      approved: 'the agent may run it once, with these arguments',
    }),
  };
}

/** Lets a loop describe and decide questions about actions. */
export function addActionKind(loop: LoopHandle): void {
  partsOf(loop).companionKinds.set(ACTION, actionKind());
}
