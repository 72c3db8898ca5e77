import { LoopError } from 'rsi-loop';

/** Longest answer accepted, in bytes; a broken server must not fill the memory of the host. */
export const MAX_BYTES = 32_000_000;

/**
 * Reads the whole body as text.
 * @throws LoopError `model-answer` if it is too long.
 */
export async function readText(response: Response, name: () => string): Promise<string> {
  const announced = Number(response.headers.get('content-length') ?? Number.NaN);
  // The length of a compressed body says nothing about its decompressed size.
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
