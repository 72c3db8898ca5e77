import { LoopError } from 'rsi-loop';

/** Longest answer taken in, in bytes; a broken server must not fill the memory of the host. */
export const MAX_BYTES = 32_000_000;

/** The whole body as text. @throws LoopError `model-answer` for one that is too long. */
export async function readText(response: Response, name: () => string): Promise<string> {
  const announced = Number(response.headers.get('content-length') ?? Number.NaN);
  // The length of what is packed says nothing of what comes out of it.
  if (announced <= MAX_BYTES && !response.headers.has('content-encoding')) return response.text();
  if (announced > MAX_BYTES) throw tooLong(name());
  if (!response.body) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ; ) {
    const { value, done } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MAX_BYTES) throw tooLong(name());
    text += decoder.decode(value, { stream: true });
  }
}

export function tooLong(name: string): LoopError {
  return new LoopError('model-answer', `${name} sent more than ${MAX_BYTES} bytes`);
}
