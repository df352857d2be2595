import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type SessionAnswer, sessionSchema } from '../auth/auth.dto.js';
import { deviceOf } from '../auth/device-of.js';
import { OpenSession } from '../auth/open-session.js';
import { IdentityClient } from '../clients.js';
import { GatewayConfig } from '../config.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import {
  PasskeyAssertionBody,
  type PasskeyRequestOptions,
  passkeyRequestOptionsSchema,
} from './passkeys.dto.js';
import { toAssertion } from './to-passkey.js';

/** Signing in by a passkey (ACCT-43). */
@ApiTags('Authentication and account')
@Controller('api/auth/passkeys/login')
export class PasskeyLogInController {
  private readonly origin: string;

  constructor(
    { PUBLIC_URL }: GatewayConfig,
    private readonly identity: IdentityClient,
    private readonly opened: OpenSession,
  ) {
    this.origin = PUBLIC_URL;
  }

  @Post('options')
  @Endpoint({
    summary: 'What a sign-in by a passkey begins with',
    description: 'It can be answered once, within 5 minutes. Nothing is stored.',
    access: 'public',
    bodyless: true,
    status: 200,
    answer: passkeyRequestOptionsSchema,
  })
  async options(): Promise<PasskeyRequestOptions> {
    const { json } = await this.identity.beginPasskeyLogIn({ origin: this.origin });
    return JSON.parse(json) as PasskeyRequestOptions;
  }

  @Post()
  @Endpoint({
    summary: 'Sign in by a passkey',
    access: 'public',
    limit: 'login-address',
    status: 200,
    answer: sessionSchema,
    setsCookie: true,
    errors: ['invalid-credential', 'user-disabled'],
  })
  async logIn(
    @Body() body: PasskeyAssertionBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionAnswer> {
    const session = await this.identity.logInByPasskey({
      origin: this.origin,
      assertion: toAssertion(body),
      device: deviceOf(request),
    });
    return this.opened.answer(session, { request, reply });
  }
}
