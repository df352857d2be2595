import { createGunzip } from 'node:zlib';
import { Negotiator } from '@fastify/accept-negotiator';
import type { FastifyInstance } from 'fastify';
import { sendProblem } from '../errors/send-problem.js';
import { etagOf, hasTag } from '../http/bodies/conditional.js';
import { robotsText } from './robots.js';
import type { Sitemap } from './sitemap.js';

const negotiator = new Negotiator({ supportedValues: ['gzip', 'identity'] });

/** Serves `/robots.txt` and `/sitemap.xml` (HTTP-39), within the limits of all requests. */
export function serveSearchEngines(fastify: FastifyInstance, publicUrl: string, sitemap: Sitemap): void {
  const robots = robotsText(publicUrl);
  fastify.get('/robots.txt', (_request, reply) => {
    void reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(robots);
  });

  fastify.get('/sitemap.xml', async (request, reply) => {
    let gzipped: Buffer;
    try {
      gzipped = await sitemap.gzipped();
    } catch (error) {
      sendProblem(error, request, reply.header('cache-control', 'private, no-cache'));
      return reply;
    }
    const etag = etagOf(gzipped.toString('latin1'));
    reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'public, max-age=3600' });
    if (hasTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    reply.type('application/xml; charset=utf-8');
    const accepted = request.headers['accept-encoding'];
    if (accepted && negotiator.negotiate(accepted) === 'gzip') {
      return reply.header('content-encoding', 'gzip').send(gzipped);
    }
    // In pieces: whole it is a dozen times as long.
    const text = createGunzip();
    text.end(gzipped);
    return reply.send(text);
  });
}
