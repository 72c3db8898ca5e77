import { useState } from 'preact/hooks';
import { ApiProblem } from '../lib/api.js';
import { usePage } from '../lib/page-context.js';

/** Asks for the token of the server. */
export function Login() {
  const { client } = usePage();
  const [problem, setProblem] = useState('');
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (!(form instanceof HTMLFormElement)) return;
    try {
      await client.login(String(new FormData(form).get('token') ?? ''));
    } catch (error) {
      setProblem(error instanceof ApiProblem ? error.problem.message : 'The token could not be checked. Try again.');
    }
  };
  return (
    <form class="login" onSubmit={submit}>
      <h1>Which token opens this dashboard?</h1>
      <p>
        The server asks for a token, because it can be reached from other machines. It printed the token when it
        started.
      </p>
      <label for="token">Token</label>
      <input id="token" name="token" type="password" autocomplete="current-password" required />
      <p class="field-problem" role="alert">
        {problem}
      </p>
      <button type="submit" class="primary">
        Open the dashboard
      </button>
    </form>
  );
}
