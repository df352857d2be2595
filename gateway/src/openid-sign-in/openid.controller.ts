import { Controller, Get, HttpStatus, Req, Res } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { DomainError, notFound } from '@pulso/platform/errors/domain-error';
import { Logger } from '@pulso/platform/logging/logger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { deviceOf } from '../auth/device-of.js';
import { RefreshCookie } from '../auth/refresh-cookie.js';
import { IdentityClient } from '../clients.js';
import { GatewayConfig } from '../config.js';
import type { HttpErrorCode } from '../errors/error-table.js';
import { problemOf } from '../errors/problem.js';
import { preferredLanguage } from '../http/pages/accept-language.js';
import { sentParts } from '../http/pages/no-route.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { CALLBACK_HEADERS, callbackPage, failedAt } from './callback-page.js';
import { OpenidCookie, type SignInMode } from './openid-cookie.js';

const CALLBACK = '/api/auth/google/callback';

/**
 * Signing in by the OpenID provider of the settings, which is Google unless another one is set up (ACCT-28, ACCT-42). Both are pages
 * that a browser is led to: whatever fails is told by where they lead to.
 */
@ApiTags('Authentication and account')
@Controller('api/auth/google')
export class OpenidController {
  private readonly isOn: boolean;
  private readonly callbackUrl: string;

  constructor(
    { OPENID_CLIENT_ID, PUBLIC_URL }: GatewayConfig,
    private readonly identity: IdentityClient,
    private readonly cookie: OpenidCookie,
    private readonly refreshCookie: RefreshCookie,
    private readonly logger: Logger,
  ) {
    this.isOn = OPENID_CLIENT_ID !== undefined;
    this.callbackUrl = PUBLIC_URL + CALLBACK;
  }

  @Get('start')
  @Endpoint({
    summary: 'Lead a browser to the provider, to sign in there',
    description:
      'Not found where no provider is set up. It leads on to the provider, or to what says why not: `permission-denied` where a browser comes by another site.',
    access: 'public',
    limit: 'login-address',
    status: 302,
    errors: ['not-found'],
  })
  @ApiQuery({
    name: 'mode',
    required: false,
    schema: { type: 'string', enum: ['popup'] },
    description: 'Of a window of its own: how it ends is told by the BroadcastChannel `pulso.openid`',
  })
  async start(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    if (!this.isOn) throw notFound();
    const mode = (request.query as { mode?: unknown }).mode === 'popup' ? 'popup' : 'page';
    try {
      // Who is signed in at the provider would be signed in here by any page that they look at.
      this.refreshCookie.checkOrigin(request);
      const { url, transaction } = await this.identity.beginOpenid({ redirectUri: this.callbackUrl });
      this.cookie.set(reply, { mode, state: stateOf(url), transaction });
      return lead(reply, url);
    } catch (error) {
      return this.end(mode, this.codeOf(error, request), reply);
    }
  }

  @Get('callback')
  @Endpoint({
    summary: 'Where the provider leads the browser back to',
    description:
      'Sets the refresh cookie. In a window of its own: a page that posts `{}`, or `{ error }` with the code of the problem, to the BroadcastChannel `pulso.openid` and closes the window. Else it leads to `/feed`, or to `/login?error=` with the code. The page is also the answer to what is not the end of the sign-in that this browser has begun last.',
    access: 'public',
    status: 200,
    mediaType: 'text/html',
    setsCookie: true,
    errors: ['not-found'],
  })
  async callback(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    if (!this.isOn) throw notFound();
    const callbackUrl = this.callbackUrl + sentParts(request).query;
    const begun = this.cookie.read(request);
    // Somebody else may have begun it, to sign this browser in to their own account, or an earlier window of this browser, which may have
    // been one of its own: what the last one has begun stays, and goes on.
    if (begun?.state !== stateOf(callbackUrl)) return this.end('popup', 'invalid-credential', reply);
    this.cookie.clear(reply);
    try {
      const session = await this.identity.finishOpenid({
        transaction: begun.transaction,
        callbackUrl,
        device: deviceOf(request),
        language: preferredLanguage(request.headers['accept-language']),
      });
      this.refreshCookie.set(reply, session.refreshToken, session.refreshExpiresAt);
      return this.end(begun.mode, undefined, reply);
    } catch (error) {
      return this.end(begun.mode, this.codeOf(error, request), reply);
    }
  }

  private codeOf(error: unknown, request: FastifyRequest): HttpErrorCode {
    const { problem, unexpected } = problemOf(error, request.id);
    if (unexpected || !(error instanceof DomainError))
      this.logger.error({ err: error, requestId: request.id }, 'unexpected error');
    request.refusal = problem.code;
    return problem.code;
  }

  private end(mode: SignInMode, error: HttpErrorCode | undefined, reply: FastifyReply): string | undefined {
    reply.headers(CALLBACK_HEADERS);
    if (mode === 'page') return lead(reply, error ? failedAt(error) : '/feed');
    reply.code(HttpStatus.OK).type('text/html; charset=utf-8');
    return callbackPage(error);
  }
}

const stateOf = (address: string): string => new URL(address).searchParams.get('state') ?? '';

function lead(reply: FastifyReply, location: string): undefined {
  reply.code(HttpStatus.FOUND).headers({ location, 'cache-control': 'no-store' });
}
