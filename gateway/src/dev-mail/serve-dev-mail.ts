import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '@pulso/platform/errors/domain-error';
import { sendProblem } from '../errors/send-problem.js';
import { devMailPage, framedMail } from './dev-mail-page.js';
import type { DevMailbox } from './dev-mailbox.js';

const HTML = 'text/html; charset=utf-8';
/** The page runs no script, and its frames are the mails. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
};
/** A mail runs no script and loads nothing; only the page of this site may show it in a frame. */
const MAIL_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'",
  'x-frame-options': 'SAMEORIGIN',
};

const LOOPBACK = /^(::1|(::ffff:)?127(\.\d+){3})$/i;
/** The names of this machine that a browser resolves by itself, with any port. */
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
/** By these a proxy tells that it asks for somebody else. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];

/**
 * Serves `/dev/mail`, which the embedded profile alone has (MAIL-7), to this machine alone: mails name their receivers, and
 * whoever has one may follow its links. An installation whose `publicUrl` is not on loopback has users elsewhere, who come by
 * a proxy or a tunnel: it shows them to nobody.
 */
export function serveDevMail(fastify: FastifyInstance, mailbox: DevMailbox, publicUrl: string): void {
  const isLocal = LOOPBACK_HOST.test(new URL(publicUrl).host);
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    if (isLocal && isFromHere(request)) return undefined;
    sendProblem(notFound(), request, reply);
    return reply;
  };
  fastify.get<{ Querystring: { to?: unknown } }>('/dev/mail', { onRequest }, async (request, reply) => {
    const { to } = request.query;
    const receiver = typeof to === 'string' && to !== '' ? to.trim().toLowerCase() : undefined;
    const mails = await mailbox.list({ to: receiver });
    reply.header('cache-control', 'no-store').header('vary', 'Accept');
    if (!wantsJson(request)) return reply.headers(PAGE_HEADERS).type(HTML).send(devMailPage(mails, receiver));
    return reply.send(mails);
  });

  fastify.get<{ Params: { id: string } }>('/dev/mail/:id', { onRequest }, async (request, reply) => {
    const mail = await mailbox.find(request.params.id);
    if (!mail) {
      sendProblem(notFound(), request, reply);
      return reply;
    }
    return reply.header('cache-control', 'no-store').headers(MAIL_HEADERS).type(HTML).send(framedMail(mail));
  });
}

/**
 * By the connection itself: `request.ip` is what a header tells. The host is checked as well: a page on the web whose name is
 * made to lead to this machine (DNS rebinding) reads what the browser of this machine gets, under its own name.
 */
function isFromHere({ socket: { remoteAddress = '' }, headers }: FastifyRequest): boolean {
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false;
  return LOOPBACK.test(remoteAddress) && LOOPBACK_HOST.test(headers.host ?? '');
}

/** A browser's address bar accepts anything, HTML first. */
const wantsJson = ({ headers: { accept = '' } }: FastifyRequest) =>
  accept.includes('application/json') && !accept.includes('text/html');
