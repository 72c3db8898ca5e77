import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Limits the server to `max` connections: a new one replaces the one that has been idle longest. Clients with thousands
 * of silent connections replace their own, and not an upload. Returns a function that ends connections without a
 * request so far, because a closing server would wait for them.
 */
export function boundConnections(server: Server, max: number): () => void {
  /** Sockets with the answer to their last request, in the order of those requests, or of their opening. */
  const sockets = new Map<Socket, ServerResponse | undefined>();
  server.on('connection', (socket: Socket) => {
    if (sockets.size >= max) oldest(sockets)?.destroy();
    sockets.set(socket, undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    // Removed first, so that it moves to the end.
    if (sockets.delete(socket)) sockets.set(socket, response);
  });
  return () => {
    for (const [socket, response] of sockets) if (response === undefined) socket.destroy();
  };
}

/**
 * Returns a socket without a pending request, else one whose request is still arriving, else one that waits for its
 * answer.
 */
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
