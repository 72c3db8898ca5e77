/** One chat completion over real HTTP, as any OpenAI-compatible server takes it. Refused calls throw with their status. */
export async function askModel(url: string, prompt: string, model: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: prompt }] }),
    signal,
  });
  if (!response.ok) {
    throw Object.assign(new Error(`${response.status} ${await response.text()}`), { status: response.status });
  }
  const answer = (await response.json()) as { choices: [{ message: { content: string } }] }; // as the API documents it
  return answer.choices[0].message.content;
}
