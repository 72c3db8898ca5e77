/** Endpoint of a model server, as far as the address identifies it. */
export interface Endpoint {
  readonly task: string;
  /** Provider whose shapes it uses; many servers use those of OpenAI. */
  readonly source: string;
  /** The model, if the address names it. */
  readonly model?: string;
}

const MODEL_CALL = 'model_call';
const EMBEDDING_CALL = 'embedding_call';

/** Matched by the end of the path, so that proxies and gateways with a prefix are recognized too. */
const ENDPOINTS: readonly (readonly [end: string, source: string, task: string])[] = [
  ['/chat/completions', 'openai', MODEL_CALL],
  ['/responses', 'openai', MODEL_CALL],
  ['/completions', 'openai', MODEL_CALL],
  ['/embeddings', 'openai', EMBEDDING_CALL],
  ['/messages', 'anthropic', MODEL_CALL],
  ['/api/chat', 'ollama', MODEL_CALL],
  ['/api/generate', 'ollama', MODEL_CALL],
  ['/api/embed', 'ollama', EMBEDDING_CALL],
  ['/api/embeddings', 'ollama', EMBEDDING_CALL],
];

const GEMINI = /\/models\/([^/:]+):(?:(generateContent|streamGenerateContent)|embedContent|batchEmbedContents)$/;

/** Returns the model server's endpoint for an address; `undefined` for every other address. */
export function endpointOf(url: string): Endpoint | undefined {
  const query = url.search(/[?#]/);
  const path = query === -1 ? url : url.slice(0, query);
  // Ollama's own path ends like OpenAI's, so the longest match decides.
  let found: (typeof ENDPOINTS)[number] | undefined;
  for (const row of ENDPOINTS) {
    if (path.endsWith(row[0]) && row[0].length > (found?.[0].length ?? 0)) found = row;
  }
  if (found) return { source: found[1], task: found[2] };
  const gemini = GEMINI.exec(path);
  if (gemini === null) return undefined;
  const [, model = '', generates] = gemini;
  return { source: 'gemini', task: generates ? MODEL_CALL : EMBEDDING_CALL, model };
}
