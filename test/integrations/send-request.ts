import { type IncomingHttpHeaders, request } from 'node:http';

export interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

export interface Reply<Answer = Readonly<Record<string, unknown>>> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The answer; empty if it was not JSON. */
  readonly json: Answer;
}

/** Sends one request on a connection of its own. `Answer` has optional members only, because any answer may come. */
export function sendRequest<Answer>(url: string, { method, headers, body }: Sending): Promise<Reply<Partial<Answer>>> {
  return new Promise((resolve, reject) => {
    const sending = request(url, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { connection: 'close', ...headers },
    });
    sending.on('error', reject).on('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString('utf8');
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) });
    });
    sending.end(body);
  });
}

function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
