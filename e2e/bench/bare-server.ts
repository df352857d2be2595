import { createAccessTokenVerifier } from '@pulso/platform/auth/access-token';
import { systemClock } from '@pulso/platform/time/clock';
import Fastify from 'fastify';
import type { JWK } from 'jose';

/** The reference: a bare Fastify that verifies the same tokens, cached, and sends the same bytes. */
interface Order {
  jwks: JWK[];
  body: string;
  /** Of the call; the feed's unless given. */
  path?: string;
  /** What is answered with 304. */
  etags?: string[];
}

const {
  jwks,
  body,
  path = '/api/feed',
  etags = [],
} = await new Promise<Order>((resolve) => process.once('message', (order) => resolve(order as Order)));
const verifier = createAccessTokenVerifier({ jwks, clock: systemClock });
const app = Fastify();
const unchanged = new Set(etags);
app.get(path, async (request, reply) => {
  await verifier.verify(request.headers.authorization ?? '');
  const etag = request.headers['if-none-match'];
  if (etag !== undefined && unchanged.has(etag)) return reply.code(304).header('etag', etag).send();
  return reply.type('application/json; charset=utf-8').send(body);
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.once('message', () => void app.close().then(() => process.exit(0)));
process.send!({ url });
