import type { FastifyReply, FastifyRequest } from 'fastify';
import { OverloadRefusal } from './refuse-overload.js';

const refuse = async (url: string) => {
  let sent = '';
  const end = (body: string) => (sent = body);
  const reply = { hijack: () => undefined, raw: { writeHead: () => ({ end }) } } as unknown as FastifyReply;
  new OverloadRefusal({}).refuse(
    { id: 'r-1', raw: { url, method: 'POST' } } as FastifyRequest,
    reply,
    undefined,
  );
  await new Promise((resolve) => setImmediate(resolve));
  return JSON.parse(sent) as Record<string, unknown>;
};

// Rule: LIMIT-5, SUBS-21
it('a refusal because of the load carries its text in `error` under /api/stripe alone', async () => {
  const usual = await refuse('/api/posts');
  expect(usual).toMatchObject({ status: 503, code: 'unavailable', requestId: 'r-1' });
  expect(usual).not.toHaveProperty('error');
  expect(await refuse('/api/stripe/webhook')).toEqual({ ...usual, error: usual['detail'] });
});
