import type { FastifyInstance, FastifyRequest } from 'fastify';
import { notFound } from '@pulso/platform/errors/domain-error';
import { sendProblem } from '../errors/send-problem.js';
import { devMailPage, framedMail } from './dev-mail-page.js';
import type { DevMailbox } from './dev-mailbox.js';

const HTML = 'text/html; charset=utf-8';
/** A mail runs no script and loads nothing; only the page of this site may show it in a frame. */
const MAIL_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'",
  'x-frame-options': 'SAMEORIGIN',
};

/** Serves `/dev/mail`, which the embedded profile alone has (MAIL-7). */
export function serveDevMail(fastify: FastifyInstance, mailbox: DevMailbox): void {
  fastify.get<{ Querystring: { to?: unknown } }>('/dev/mail', async (request, reply) => {
    const { to } = request.query;
    const receiver = typeof to === 'string' && to !== '' ? to.trim().toLowerCase() : undefined;
    const mails = await mailbox.list({ to: receiver });
    reply.header('cache-control', 'no-store').header('vary', 'Accept');
    if (!wantsJson(request)) return reply.type(HTML).send(devMailPage(mails, receiver));
    return reply.send(mails);
  });

  fastify.get<{ Params: { id: string } }>('/dev/mail/:id', async (request, reply) => {
    const mail = await mailbox.find(request.params.id);
    if (!mail) {
      sendProblem(notFound(), request, reply);
      return reply;
    }
    return reply.header('cache-control', 'no-store').headers(MAIL_HEADERS).type(HTML).send(framedMail(mail));
  });
}

/** A browser's address bar accepts anything, HTML first. */
const wantsJson = ({ headers: { accept = '' } }: FastifyRequest) =>
  accept.includes('application/json') && !accept.includes('text/html');
