import type { IncomingMessage, ServerResponse } from 'node:http';
import { OverloadRefusal } from './refuse-overload.js';

const refuse = async (url: string) => {
  let sent = '';
  const end = (body: string) => (sent = body);
  const response = { writeHead: () => ({ end }) } as unknown as ServerResponse;
  new OverloadRefusal({}).refuse({ url, method: 'POST' } as IncomingMessage, response, 'r-1', undefined);
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
