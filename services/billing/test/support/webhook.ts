import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Takes an event as the gateway does; what it throws is answered as while billing is away. */
type Take = (body: Buffer, signature: string) => Promise<unknown>;

/** The address to which a provider sends its events. */
export interface Webhook {
  url: string;
  stop(): Promise<void>;
}

export async function startWebhook(take: Take): Promise<Webhook> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      take(Buffer.concat(pieces), String(request.headers['stripe-signature'])).then(
        () => response.writeHead(200).end(),
        () => response.writeHead(503).end(),
      );
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/event`,
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
