import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Connections of a server that closes. */
interface Connections {
  /** Ends connections without a request so far, because a closing server would wait for them. */
  endSilent(): void;
  /** Ends also connections that send or read slowly. Requests that wait for their answer go on. */
  endSlow(): void;
}

/**
 * Limits the server to `max` connections: a new one replaces the one that has been idle longest. Clients with thousands
 * of silent connections replace their own, and not an upload.
 */
export function boundConnections(server: Server, max: number): Connections {
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
  const end = (isEnded: (response: ServerResponse | undefined) => boolean) => {
    for (const [socket, response] of sockets) if (isEnded(response)) socket.destroy();
  };
  return {
    endSilent: () => end((response) => response === undefined),
    endSlow: () => end((response) => response === undefined || !response.req.complete || response.writableEnded),
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
