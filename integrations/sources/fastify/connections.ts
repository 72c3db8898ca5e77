import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Keeps at most `max` connections: a new one replaces the one that has been idle longest. Clients that open thousands and
 * say nothing replace each other, and not an upload. Returns a function that ends connections on which no request has come
 * yet: a server that closes would wait for them.
 */
export function boundConnections(server: Server, max: number): () => void {
  /** With the answer to their last request; in the order of those requests, or of their beginning. */
  const sockets = new Map<Socket, ServerResponse | undefined>();
  server.on('connection', (socket: Socket) => {
    if (sockets.size >= max) oldest(sockets)?.destroy();
    sockets.set(socket, undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    // Taken out first, so that it comes to the end.
    if (sockets.delete(socket)) sockets.set(socket, response);
  });
  return () => {
    for (const [socket, response] of sockets) if (response === undefined) socket.destroy();
  };
}

/** One without a request under way, else one whose request is still arriving; only then one that waits for its answer. */
function oldest(sockets: ReadonlyMap<Socket, ServerResponse | undefined>): Socket | undefined {
  let arriving: Socket | undefined;
  for (const [socket, response] of sockets) {
    if (response === undefined || response.writableFinished) return socket;
    if (!response.req.complete) arriving ??= socket;
  }
  if (arriving) return arriving;
  const [first] = sockets.keys();
  return first;
}
