import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewayConfig } from '../config.js';

/** Where the sign-in was begun: in a window of its own, or in the window of the page. */
export type SignInMode = 'popup' | 'page';

/** What the browser keeps while the user is at the provider. */
export interface BegunSignIn {
  mode: SignInMode;
  /** By which the provider's answer says which sign-in it belongs to (RFC 6749, 4.1.1). */
  state: string;
  /** Of identity, which alone can read it. */
  transaction: string;
}

/** The provider leads back from its own site, so that a strict cookie would not come. */
const COMMON = { httpOnly: true, sameSite: 'lax', maxAge: 10 * 60 } as const;
/** Under https: the prefix makes browsers refuse one that a sibling domain has set, who could begin a sign-in of their own with it. */
const HOST = { name: '__Host-pulso_openid', attributes: { ...COMMON, path: '/', secure: true } };
const PLAIN = { name: 'pulso_openid', attributes: { ...COMMON, path: '/api/auth/google', secure: false } };
const VALUE = /^(popup|page)\.([\w-]{1,128})\.([\w.-]{1,1024})$/;

/** The sign-in by OpenID Connect that this browser has begun last: only where it has begun can it end (ACCT-28). */
@Injectable()
export class OpenidCookie {
  private readonly own: typeof HOST;

  constructor({ PUBLIC_URL }: GatewayConfig) {
    this.own = PUBLIC_URL.startsWith('https:') ? HOST : PLAIN;
  }

  /** Undefined without a usable cookie. */
  read(request: FastifyRequest): BegunSignIn | undefined {
    const [, mode, state, transaction] = VALUE.exec(request.cookies[this.own.name] ?? '') ?? [];
    if (state === undefined || transaction === undefined) return undefined;
    return { mode: mode as SignInMode, state, transaction };
  }

  set(reply: FastifyReply, { mode, state, transaction }: BegunSignIn): void {
    reply.setCookie(this.own.name, `${mode}.${state}.${transaction}`, this.own.attributes);
  }

  /** Each answer of the provider is tried once. */
  clear(reply: FastifyReply): void {
    const { maxAge: _, ...attributes } = this.own.attributes;
    reply.clearCookie(this.own.name, attributes);
  }
}
