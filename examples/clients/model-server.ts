import { LLMock } from '@copilotkit/aimock';

/** A model server on this machine that stands for your provider: it answers `hello`, and is overloaded when asked `fail`. */
export async function startModelServer(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = new LLMock({ port: 0, logLevel: 'silent' });
  server.onMessage('hello', { content: 'Hello! How can I help?' });
  server.onMessage('fail', {
    error: { message: 'The engine is currently overloaded', type: 'overloaded' },
    status: 503,
  });
  await server.start();
  return { url: server.url, stop: () => server.stop() };
}
