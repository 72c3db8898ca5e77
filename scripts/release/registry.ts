import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** npm registry on the loopback address that keeps what is published to it in memory. */
export interface PublishRegistry {
  readonly url: string;
  stop(): void;
}

/** Body of a publication. The tarball is in `_attachments`, as base64. */
interface Publication {
  readonly name: string;
  readonly 'dist-tags': Readonly<Record<string, string>>;
  readonly versions: Readonly<Record<string, { readonly dist: { readonly tarball: string } }>>;
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>;
}

export async function startPublishRegistry(): Promise<PublishRegistry> {
  const published = new Map<string, Publication>();
  const server = createServer(async (request, response) => {
    const [name = '', file] = decodeURIComponent(request.url ?? '')
      .slice(1)
      .split('/-/');
    if (request.method === 'PUT') {
      published.set(name, (await json(request)) as Publication); // npm sends it
      return void response.writeHead(201, { 'content-type': 'application/json' }).end('{"ok":true}');
    }
    const found = published.get(name);
    if (!found) return void response.writeHead(404).end('{"error":"not found"}');
    if (file === undefined) return void response.end(JSON.stringify({ ...found, _attachments: undefined }));
    const [attachment] = Object.values(found._attachments);
    response.end(Buffer.from(attachment?.data ?? '', 'base64'));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}
