import Fastify, { type FastifyInstance } from 'fastify';
import { letSend } from './fastify-adapter.js';

const ENDPOINT = { endpoint: { access: 'public' } };

describe('routes that send their answers themselves', () => {
  let fastify: FastifyInstance;
  beforeEach(() => {
    fastify = Fastify();
    fastify.addHook('onRoute', letSend);
  });
  afterEach(() => fastify.close());

  async function answer(): Promise<[number, string]> {
    const found = await fetch(await fastify.listen({ host: '127.0.0.1', port: 0 }));
    return [found.status, await found.text()];
  }

  it('are not answered by what their handlers resolve to', async () => {
    fastify.get('/', { config: ENDPOINT }, async (_request, reply) => {
      setImmediate(() => void reply.send('sent'));
      return 'returned';
    });
    expect(await answer()).toEqual([200, 'sent']);
  });

  it('are answered also where the handler fails beyond its own answer to that', async () => {
    fastify.get('/', { config: ENDPOINT }, () => Promise.reject(new Error('the filter failed')));
    expect(await answer()).toEqual([500, expect.stringContaining('the filter failed')]);
  });

  it('do not include those that Fastify answers', async () => {
    fastify.get('/', async () => 'returned');
    expect(await answer()).toEqual([200, 'returned']);
  });
});
