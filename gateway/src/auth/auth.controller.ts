import { createHash } from 'node:crypto';
import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Device, Session } from '@pulso/contracts/identity/v1/identity';
import { DomainError, notAuthenticated } from '@pulso/platform/errors/domain-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IdentityClient } from '../clients.js';
import { conditional } from '../http/conditional.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { addressKey } from '../rate-limit/address-key.js';
import { RateLimiter } from '../rate-limit/rate-limiter.js';
import { ComposeProfile, NO_NUMBERS, toMe } from '../users/compose-profile.js';
import { required } from '../user-ref/to-user-ref.js';
import type { Me } from '../users/user.dto.js';
import {
  LoginBody,
  type PasswordPolicyAnswer,
  passwordPolicySchema,
  type SessionAnswer,
  sessionSchema,
  SignUpBody,
} from './auth.dto.js';
import { EndedSessions } from './ended-sessions.js';
import { RefreshCookie } from './refresh-cookie.js';

const MAX_USER_AGENT = 512;

@ApiTags('Authentication and account')
@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly identity: IdentityClient,
    private readonly profiles: ComposeProfile,
    private readonly cookie: RefreshCookie,
    private readonly limiter: RateLimiter,
    private readonly ended: EndedSessions,
  ) {}

  @Post('signup')
  @Endpoint({
    summary: 'Create an account and sign in',
    access: 'public',
    status: 201,
    answer: sessionSchema,
    errors: ['email-already-in-use', 'username-taken'],
  })
  async signUp(
    @Body() body: SignUpBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionAnswer> {
    const session = await this.createAccount(body, request);
    const account = required(session.account, 'account');
    const me = toMe(account, required(account.user, 'user'), NO_NUMBERS);
    return this.open(session, me, request, reply);
  }

  @Post('login')
  @Endpoint({
    summary: 'Sign in by e-mail and password',
    access: 'public',
    limit: { address: 'login-address' },
    status: 200,
    answer: sessionSchema,
    errors: ['invalid-credential', 'user-disabled'],
  })
  async login(
    @Body() body: LoginBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionAnswer> {
    await this.limiter.take('login-account', body.email);
    const session = await this.identity.logIn({ ...body, device: deviceOf(request) });
    return this.open(session, await this.profiles.me(required(session.account, 'account')), request, reply);
  }

  @Post('refresh')
  @Endpoint({
    summary: 'A new access token for the refresh cookie, which is rotated',
    description: 'Send no Authorization header: an expired token is refused here too.',
    access: 'public',
    bodyless: true,
    cookie: true,
    status: 200,
    answer: sessionSchema,
    errors: ['not-authenticated', 'permission-denied'],
  })
  async refresh(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionAnswer> {
    const refreshToken = this.cookie.read(request);
    if (refreshToken === undefined) throw notAuthenticated();
    this.cookie.checkOrigin(request);
    await this.limitRefresh(refreshToken, request);
    let session: Session;
    try {
      session = await this.identity.refreshSession({ refreshToken, device: deviceOf(request) });
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'unauthenticated') this.cookie.clear(reply);
      throw error;
    }
    return this.open(session, await this.profiles.me(required(session.account, 'account')), request, reply);
  }

  @Post('logout')
  @Endpoint({
    summary: 'End the session of the refresh cookie or, without one, of the access token',
    access: 'public',
    bodyless: true,
    cookie: true,
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

  /** Counts no sign-up that validation refuses, here or in identity: correcting a form is no abuse. */
  private async createAccount(body: SignUpBody, request: FastifyRequest): Promise<Session> {
    const address = addressKey(request.ip);
    await this.limiter.take('signup-address', address);
    try {
      return await this.identity.signUp({ ...body, device: deviceOf(request) });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'validation-failed') {
        await this.limiter.giveBack('signup-address', address);
      }
      throw error;
    }
  }

  /** Only what has a cookie counts: every visitor's page asks for a refresh, to see whether they are signed in. */
  private async limitRefresh(refreshToken: string, request: FastifyRequest): Promise<void> {
    await this.limiter.take('refresh-token', createHash('sha256').update(refreshToken).digest('base64url'));
    await this.limiter.take('refresh-address', addressKey(request.ip));
  }

  private open(
    { accessToken, expiresIn, refreshToken, refreshExpiresAt }: Session,
    user: Me,
    request: FastifyRequest,
    reply: FastifyReply,
  ): SessionAnswer {
    this.cookie.set(reply, refreshToken, refreshExpiresAt);
    // The answer's Pulso-After is for the user who has just signed in.
    if (request.pulso) request.pulso.viewerId = user.id;
    return { accessToken, expiresIn, user };
  }
}

function deviceOf(request: FastifyRequest): Device {
  return { userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT), address: request.ip };
}
