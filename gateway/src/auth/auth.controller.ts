import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { notAuthenticated } from '@pulso/platform/errors/domain-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IdentityClient } from '../clients.js';
import { preferredLanguage } from '../http/pages/accept-language.js';
import { conditional } from '../http/bodies/conditional.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { EMPTY_STORAGE, NO_NUMBERS, toMe } from '../profiles/compose-profile.js';
import { required } from '../user-ref/to-user-ref.js';
import {
  LoginBody,
  type PasswordPolicyAnswer,
  passwordPolicySchema,
  type RefreshedSession,
  refreshedSessionSchema,
  type SessionAnswer,
  sessionSchema,
  SignUpBody,
} from './auth.dto.js';
import { deviceOf } from './device-of.js';
import { EndedSessions } from './ended-sessions.js';
import { firstReads, MOST_FIRST_READS } from './first-reads.js';
import { OpenSession } from './open-session.js';
import { RefreshCookie } from './refresh-cookie.js';

@ApiTags('Authentication and account')
@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly identity: IdentityClient,
    private readonly cookie: RefreshCookie,
    private readonly opened: OpenSession,
    private readonly ended: EndedSessions,
  ) {}

  @Post('signup')
  @Endpoint({
    summary: 'Create an account and sign in',
    description: 'Only coaches have specialties. `Accept-Language` decides the language of mails.',
    access: 'public',
    limit: 'signup-address',
    status: 201,
    answer: sessionSchema,
    setsCookie: true,
    errors: ['permission-denied', 'email-already-in-use', 'username-taken'],
  })
  async signUp(
    @Body() body: SignUpBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionAnswer> {
    const session = await this.identity.signUp({
      ...body,
      device: deviceOf(request),
      language: preferredLanguage(request.headers['accept-language']),
    });
    const account = required(session.account, 'account');
    const me = toMe(account, required(account.user, 'user'), NO_NUMBERS, EMPTY_STORAGE);
    return this.opened.answer(session, { request, reply }, me);
  }

  @Post('login')
  @Endpoint({
    summary: 'Sign in by e-mail and password',
    access: 'public',
    limit: ['login-address', 'login-email-address', 'login-email'],
    status: 200,
    answer: sessionSchema,
    setsCookie: true,
    errors: ['invalid-credential', 'user-disabled'],
  })
  async login(
    @Body() body: LoginBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionAnswer> {
    const session = await this.identity.logIn({ ...body, device: deviceOf(request) });
    return this.opened.answer(session, { request, reply });
  }

  @Post('refresh')
  @Endpoint({
    summary: 'A new access token for the refresh cookie, which is rotated',
    description:
      'Send no Authorization header: an expired token is refused here too. A page that starts may ask for what it begins with in the same round trip, by `first`.',
    access: 'public',
    bodyless: true,
    cookie: 'required',
    limit: ['refresh-token', 'refresh-address'],
    status: 200,
    answer: refreshedSessionSchema,
    setsCookie: true,
    errors: ['not-authenticated', 'permission-denied'],
  })
  @ApiQuery({
    name: 'first',
    required: false,
    schema: { type: 'array', items: { type: 'string' } },
    description: `Paths that are read with the new token, ${MOST_FIRST_READS} at most: the feed, \`/api/me\`, the dashboard, subscriptions and conversations, a user, a user's posts, a post, its comments. Others are left out`,
  })
  async refresh(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RefreshedSession> {
    const refreshToken = this.cookie.read(request);
    if (refreshToken === undefined) throw notAuthenticated();
    this.cookie.checkOrigin(request);
    // A refusal leaves the cookie: a late one would take away that of a login in another tab meanwhile (ACCT-38).
    const session = await this.identity.refreshSession({ refreshToken, device: deviceOf(request) });
    const answer = this.opened.answer(session, { request, reply });
    const { first } = request.query as { first?: unknown };
    if (first === undefined) return answer;
    return { ...answer, first: await firstReads(first, session.accessToken, request) };
  }

  @Post('logout')
  @Endpoint({
    summary: 'End the session of the refresh cookie or, without one, of the access token',
    access: 'public',
    bodyless: true,
    cookie: 'optional',
    setsCookie: true,
    status: 204,
    errors: ['permission-denied'],
  })
  async logout(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    this.cookie.checkOrigin(request);
    const refreshToken = this.cookie.read(request);
    if (refreshToken === undefined && !request.headers.authorization) return;
    const { userId } = await this.identity.logOut({ refreshToken: refreshToken ?? '' });
    this.cookie.clear(reply);
    // The answer's Pulso-After is for this user, even if the request had no access token.
    if (request.pulso && userId !== '') request.pulso.viewerId ??= userId;
    // Only identity knows which session the cookie belonged to.
    await this.ended.refresh();
  }

  @Get('password-policy')
  @Endpoint({
    summary: 'What a password must be like',
    access: 'public',
    shared: true,
    conditional: true,
    status: 200,
    answer: passwordPolicySchema,
  })
  async passwordPolicy(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const policy: PasswordPolicyAnswer = await this.identity.getPasswordPolicy({});
    reply.header('cache-control', 'public, no-cache');
    return conditional(request, reply, policy);
  }
}
