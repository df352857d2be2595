import { Injectable } from '@nestjs/common';
import { permissionDenied } from '@pulso/platform/errors/domain-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewayConfig } from '../config.js';

const NAME = 'pulso_refresh';
const PATH = '/api/auth';
const MAX_LENGTH = 1024;

/** The refresh token's only way to and from the browser (ACCT-16). */
@Injectable()
export class RefreshCookie {
  private readonly secure: boolean;
  private readonly origin: string;

  constructor({ PUBLIC_URL }: GatewayConfig) {
    const url = new URL(PUBLIC_URL);
    this.secure = url.protocol === 'https:';
    this.origin = url.origin;
  }

  /** Undefined without a usable cookie. */
  read(request: FastifyRequest): string | undefined {
    const token = request.cookies[NAME];
    return token && token.length <= MAX_LENGTH ? token : undefined;
  }

  /** `expiresAt` in milliseconds since the epoch. */
  set(reply: FastifyReply, token: string, expiresAt: number): void {
    reply.setCookie(NAME, token, { ...this.attributes(), expires: new Date(expiresAt) });
  }

  clear(reply: FastifyReply): void {
    reply.clearCookie(NAME, this.attributes());
  }

  /**
   * Refuses requests that a browser sends for another site. Without `Origin` it is no browser's cross-site request: those
   * always carry it on POST. The host itself is accepted too, for addresses that PUBLIC_URL does not name.
   */
  checkOrigin({ headers }: FastifyRequest): void {
    const { origin, host } = headers;
    if (origin === undefined) {
      const site = headers['sec-fetch-site'];
      if (site !== undefined && site !== 'same-origin' && site !== 'none') throw permissionDenied();
      return;
    }
    if (origin !== this.origin && hostOf(origin) !== host) throw permissionDenied();
  }

  private attributes() {
    return { path: PATH, httpOnly: true, sameSite: 'strict', secure: this.secure } as const;
  }
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
