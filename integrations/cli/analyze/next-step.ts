const LOOK = 'read the sessions below: the message names no cause';
const RULE = 'read one session below; if it repeats, a rule helps: "import" these logs, then "cycle"';

/** Suggested next step for failures of each issue. */
const STEPS: Readonly<Record<string, string>> = {
  rate_limit: 'space the calls or lower concurrency; loop.run does both',
  overloaded: 'wait longer between attempts, or list a second model; loop.run does both',
  quota_exceeded: 'raise the budget or wait for its reset: no retry helps',
  timeout: 'raise the time limit, or make the step smaller',
  network: 'repeat it if it may run twice: loop.run with idempotent: true',
  server_error: 'repeat it if it may run twice: loop.run with idempotent: true',
  auth: 'check the key or log in again: no retry helps',
  permission: 'grant the permission, or tell the agent not to try',
  model_not_found: 'correct the name of the model',
  not_found: 'check the path, name or command in the message',
  context_length: 'shorten the input, or compact the session earlier',
  empty_response: 'check for an empty answer before using it, or try another model',
  parse_error: 'ask for the form in the prompt and check it; "cycle" drafts a rule',
  validation: 'tell the agent the expected arguments; "cycle" drafts a rule',
  content_filter: 'reword the prompt: no retry helps',
  resource_exhausted: 'free memory or disk first: no retry helps',
  tool_failure: RULE,
  wrong_output: 'compare what was expected with what came, in the sessions below',
  incomplete_task: 'compare what was expected with what came, in the sessions below',
  repeated_mistake: RULE,
  loop: RULE,
  cost_overrun: 'lower the number of steps, or use a cheaper model',
};

export function nextStep(issue: string): string {
  return STEPS[issue] ?? LOOK;
}
