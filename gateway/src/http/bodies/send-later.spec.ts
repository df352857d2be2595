import Fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from '@pulso/platform/logging/logger';
import { isAnswered } from '../../errors/answered.js';
import { holdAnswer, isSecondAnswer, sendLater } from './send-later.js';

let app: FastifyInstance;
let url: string;
const sent: string[] = [];

beforeAll(async () => {
  app = Fastify();
  const logger = { error: (_entry: object, text: string) => sent.push(text) } as unknown as Logger;
  app.decorateRequest('waiting', null);
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isSecondAnswer(request, logger)) return;
    holdAnswer(request, reply);
    sendLater(request, reply, payload, done, logger);
  });
  app.get('/:name', (request, reply) => {
    const { name } = request.params as { name: string };
    queueMicrotask(() => sent.push(`after ${name}`));
    reply.raw.once('finish', () => sent.push(name));
    return reply.send(name);
  });
  const circle: object[] = [];
  circle.push(circle);
  const seconds = { text: '"the second"', object: {}, error: new Error('the second'), circle };
  app.get('/twice/:second', (request, reply) => {
    const { second } = request.params as { second: keyof typeof seconds };
    void reply.code(201).header('content-type', 'text/x-first').send('the first');
    void reply.code(500).header('content-type', 'application/json').send(seconds[second]);
  });
  app.get('/late', (request, reply) => {
    const before = isAnswered(reply);
    holdAnswer(request, reply);
    const after = isAnswered(reply);
    request.waiting = null;
    return reply.send(`${before} ${after}`);
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
    expect(sent).toEqual(['an answer could not be sent']);
    expect(await textOf('cora')).toBe('cora');
  });
});

describe('a second answer to a request', () => {
  it.each(['text', 'object', 'error', 'circle'] as const)(
    'is told in the log and changes nothing of the first one: %s',
    async (second) => {
      const answer = await fetch(`${url}/twice/${second}`);
      expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
        201,
        'text/x-first',
        'the first',
      ]);
      expect(sent).toEqual(['a second answer is dropped']);
      expect(await textOf('dora')).toBe('dora');
    },
  );

  it('is known to come too late', async () => {
    expect(await (await fetch(`${url}/late`)).text()).toBe('false true');
  });
});
