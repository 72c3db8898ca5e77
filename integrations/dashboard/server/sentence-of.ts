import { describeFix, type Fix, type LoopEvent, type RSILoop } from 'rsi-loop';

/** Message about an event, for people who look at the page. */
export interface Message {
  readonly sentence: string;
  readonly fixId?: string;
}

/** Returns a sentence about an event; undefined for events that only change figures. */
export function sentenceOf(loop: RSILoop, event: LoopEvent): Message | undefined {
  switch (event.kind) {
    case 'pattern-found':
      return { sentence: `New pattern: ${event.pattern.task} fails with ${event.pattern.issue}.` };
    case 'burst':
      return { sentence: `${event.task} fails in a burst: ${event.count} failures with ${event.issue}.` };
    case 'fix-proposed':
      return aboutFix(loop, event.fix, 'Proposed');
    case 'fix-approved':
      return aboutFix(loop, event.fix, 'Approved');
    case 'fix-rejected':
      return aboutFix(loop, event.fix, 'Rejected');
    case 'trial-started':
      return aboutFix(loop, event.fix, 'Trial started');
    case 'verdict':
      return aboutFix(loop, event.fix, `Verdict ${event.verdict.kind}`);
    case 'fix-rolled-back':
      return aboutFix(loop, event.fix, 'Rolled back');
    case 'fix-reopened':
      return aboutFix(loop, event.fix, 'Its failures came back');
    case 'health-below':
      return { sentence: `Health fell below ${event.threshold}.` };
    case 'outcomes-dropped':
      return { sentence: `${event.count} outcomes were not recorded: ${event.reason}.` };
    case 'problem':
      return { sentence: `Problem in ${event.where}: ${event.message}` };
    case 'trial-progressed':
    case 'rebuild-progressed':
      return undefined;
    default:
      return event satisfies never;
  }
}

function aboutFix(loop: RSILoop, fix: Fix, what: string): Message {
  return { sentence: `${what}: ${describeFix(loop, fix).title}.`, fixId: fix.id };
}
