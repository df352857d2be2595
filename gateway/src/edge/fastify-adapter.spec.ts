import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { createAdapter, letSend } from './fastify-adapter.js';

it('an answer is nothing that Nest waits for', () => {
  const sent: unknown[] = [];
  const reply = { status: () => reply, getHeader: () => undefined, send: (body: unknown) => sent.push(body) };
  const adapter = createAdapter({ trustedProxies: 0, headers: {} });
  expect(adapter.reply(reply as unknown as FastifyReply, 'an answer')).toBeUndefined();
  expect(sent).toEqual(['an answer']);
});

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

  it('keep a reply that can be awaited', async () => {
    let isOver: Promise<boolean> | undefined;
    fastify.get('/', { config: ENDPOINT }, (_request, reply) => {
      isOver = (async () => reply)().then(() => reply.raw.writableEnded);
      setImmediate(() => void reply.send('sent'));
    });
    expect(await answer()).toEqual([200, 'sent']);
    expect(await isOver).toBe(true);
  });

  it('do not include those that Fastify answers', async () => {
    fastify.get('/', async () => 'returned');
    expect(await answer()).toEqual([200, 'returned']);
  });
});
