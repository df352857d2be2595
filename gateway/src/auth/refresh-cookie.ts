import { Injectable } from '@nestjs/common';
import { permissionDenied } from '@pulso/platform/errors/domain-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewayConfig } from '../config.js';

const COMMON = { httpOnly: true, sameSite: 'strict' } as const;
/** Under https: the prefix makes browsers refuse one that a sibling domain or a page over http has set. */
const HOST = { name: '__Host-pulso_refresh', attributes: { ...COMMON, path: '/', secure: true } };
/** Under http, where the prefix is not possible. */
const PLAIN = { name: 'pulso_refresh', attributes: { ...COMMON, path: '/api/auth', secure: false } };
const MAX_LENGTH = 1024;
/** Says that there is a session and nothing else: pages and the gateway look whether a guest or a member comes (ACCT-40). */
const MEMBER = 'pulso_member';
const SAYS_MEMBER = new RegExp(`(?:^|;)\\s*${MEMBER}=1\\s*(?:;|$)`);

/** The refresh token's only way to and from the browser (ACCT-16, ACCT-17). */
@Injectable()
export class RefreshCookie {
  private readonly publicUrl: URL;
  private readonly own: typeof HOST;
  private readonly other: typeof HOST;
  private readonly member: { path: string; sameSite: 'lax'; secure: boolean };

  constructor({ PUBLIC_URL }: GatewayConfig) {
    this.publicUrl = new URL(PUBLIC_URL);
    const isHttps = this.publicUrl.protocol === 'https:';
    [this.own, this.other] = isHttps ? [HOST, PLAIN] : [PLAIN, HOST];
    this.member = { path: '/', sameSite: 'lax', secure: isHttps };
  }

  /** Undefined without a usable cookie. */
  read(request: FastifyRequest): string | undefined {
    const token = request.cookies[this.own.name];
    return token && token.length <= MAX_LENGTH ? token : undefined;
  }

  /** `expiresAt` in milliseconds since the epoch. */
  set(reply: FastifyReply, token: string, expiresAt: number): void {
    const { name, attributes } = this.own;
    const expires = new Date(expiresAt);
    reply.setCookie(name, token, { ...attributes, expires });
    reply.clearCookie(this.other.name, this.other.attributes);
    reply.setCookie(MEMBER, '1', { ...this.member, expires });
  }

  clear(reply: FastifyReply): void {
    for (const { name, attributes } of [this.own, this.other]) reply.clearCookie(name, attributes);
    reply.clearCookie(MEMBER, this.member);
  }

  /**
   * Refuses requests that a browser sends for another site. Without `Origin` it is no browser's cross-site request: those
   * always carry it on POST. The host itself is accepted too, for addresses that PUBLIC_URL does not name, under the same
   * scheme (ACCT-18).
   */
  checkOrigin({ headers }: FastifyRequest): void {
    const { origin, host } = headers;
    if (origin === undefined) {
      const site = headers['sec-fetch-site'];
      if (site !== undefined && site !== 'same-origin' && site !== 'none') throw permissionDenied();
      return;
    }
    const { protocol } = this.publicUrl;
    if (origin !== this.publicUrl.origin && origin !== `${protocol}//${host}`) throw permissionDenied();
  }
}

/** Whether a browser says that somebody has signed in there. It may be wrong: nothing that matters follows from it. */
export const isMember = ({ headers: { cookie } }: FastifyRequest): boolean =>
  cookie !== undefined && SAYS_MEMBER.test(cookie);
