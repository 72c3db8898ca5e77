import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Keeps at most `max` connections: a new one takes the place of that which has gone longest without a request. Whoever
 * opens thousands and says nothing thereby pushes out himself, not those who work. Gives the function that ends those on
 * which no request has come yet: a server that closes would wait for them.
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

function oldest(sockets: ReadonlyMap<Socket, ServerResponse | undefined>): Socket | undefined {
  for (const [socket, response] of sockets) if (!isBeingAnswered(response)) return socket;
  const [first] = sockets.keys();
  return first;
}

/** Its request has come as a whole, so that whoever sent it waits. */
function isBeingAnswered(response: ServerResponse | undefined): boolean {
  return response?.req.complete === true && !response.writableFinished;
}
