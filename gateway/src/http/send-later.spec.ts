import Fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from '@pulso/platform/logging/logger';
import { sendLater } from './send-later.js';

let app: FastifyInstance;
let url: string;
const sent: string[] = [];

beforeAll(async () => {
  app = Fastify();
  app.addHook('onSend', (_request, reply, payload, done) =>
    sendLater(reply, payload, done, { error: () => sent.push('error') } as unknown as Logger),
  );
  app.get('/:name', (request, reply) => {
    const { name } = request.params as { name: string };
    queueMicrotask(() => sent.push(`after ${name}`));
    reply.raw.once('finish', () => sent.push(name));
    return reply.send(name);
  });
  app.get('/bad-header', (_request, reply) => reply.header('x-note', 'two\nlines').send('never'));
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(() => sent.splice(0));
afterAll(() => app?.close());

const textOf = async (name: string) => (await fetch(`${url}/${name}`)).text();

describe('answers that leave at the end of the turn', () => {
  it('arrive whole, after everything else of their turn', async () => {
    expect(await textOf('ana')).toBe('ana');
    expect(sent).toEqual(['after ana', 'ana']);
    const names = Array.from({ length: 20 }, (_, number) => `ben-${number}`);
    expect(await Promise.all(names.map(textOf))).toEqual(names);
  });

  it('end their connection alone where they cannot be sent', async () => {
    await expect(fetch(`${url}/bad-header`)).rejects.toThrow();
    expect(sent).toEqual(['error']);
    expect(await textOf('cora')).toBe('cora');
  });
});
