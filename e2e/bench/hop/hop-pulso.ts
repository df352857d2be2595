import { ConnectChannel } from '@pulso/platform/rpc/connect-channel';
import { ConnectServer } from '@pulso/platform/rpc/connect-server';
import { pathOf, SERVICE, type Way } from './hop-way.js';

/** What Pulso uses: the Connect protocol over HTTP/1.1, by node:http and undici. */
export const pulso: Way = {
  serve: async (_, { options, handlers }) => {
    const server = new ConnectServer('127.0.0.1:0', options);
    for (const [rpc, handler] of handlers)
      server.addHandler({ service: SERVICE, rpc, streaming: 'no_stream' }, handler);
    await new Promise<void>((resolve, reject) => {
      void server.listen((error) => (error ? reject(error as Error) : resolve()));
    });
    return { port: Number(server.boundUrl.split(':')[1]) };
  },
  connect: (port) => {
    const definition = Object.fromEntries(
      ['page', 'small'].map((method) => [method, { path: pathOf(method) }]),
    );
    const service = { name: SERVICE, definition, reads: new Set<string>() };
    return new ConnectChannel(service as never, `127.0.0.1:${port}`);
  },
};
