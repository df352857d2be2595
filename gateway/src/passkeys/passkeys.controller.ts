import { Body, Controller, Delete, Get, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IdentityClient } from '../clients.js';
import { GatewayConfig } from '../config.js';
import { conditional } from '../http/bodies/conditional.js';
import { pathId } from '../http/bodies/path-id.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import {
  BeginPasskeyBody,
  NewPasskeyBody,
  type PasskeyAnswer,
  PasskeyAssertionBody,
  type PasskeyCreationOptions,
  passkeyCreationOptionsSchema,
  type PasskeyPage,
  passkeyPageSchema,
  type PasskeyRequestOptions,
  passkeyRequestOptionsSchema,
  passkeySchema,
  RenamePasskeyBody,
} from './passkeys.dto.js';
import { toAssertion, toPasskey } from './to-passkey.js';

/** The caller's passkeys (ACCT-43, LIMIT-19). */
@ApiTags('Authentication and account')
@Controller('api/auth/passkeys')
export class PasskeysController {
  private readonly origin: string;

  constructor(
    { PUBLIC_URL }: GatewayConfig,
    private readonly identity: IdentityClient,
  ) {
    this.origin = PUBLIC_URL;
  }

  @Get()
  @Endpoint({
    summary: 'The caller’s passkeys, the newest first: one list, not paged',
    access: 'private',
    conditional: true,
    status: 200,
    answer: passkeyPageSchema,
  })
  async list(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const { passkeys } = await this.identity.listPasskeys({});
    // Whole, not paged (HTTP-32).
    const page: PasskeyPage = { items: passkeys.map(toPasskey), nextCursor: null };
    return conditional(request, reply, page);
  }

  @Post('options')
  @Endpoint({
    summary: 'What a new passkey begins with',
    description:
      'Needs `currentPassword`, or a sign-in or a passkey within 5 minutes. It can be answered once, within 5 minutes.',
    access: 'private',
    limit: ['password-account-address', 'password-account', 'passkeys-account'],
    status: 200,
    answer: passkeyCreationOptionsSchema,
    errors: ['wrong-password', 'unprocessable'],
  })
  async begin(@Body() { currentPassword }: BeginPasskeyBody): Promise<PasskeyCreationOptions> {
    const { json } = await this.identity.beginPasskey({ origin: this.origin, currentPassword });
    return JSON.parse(json) as PasskeyCreationOptions;
  }

  @Post()
  @Endpoint({
    summary: 'Add a passkey, which its authenticator has made by such options',
    access: 'private',
    limit: 'passkeys-account',
    status: 201,
    answer: passkeySchema,
    errors: ['conflict', 'unprocessable'],
  })
  async add(
    @Body() { name, id, clientDataJSON, attestationObject, transports }: NewPasskeyBody,
  ): Promise<PasskeyAnswer> {
    const attestation = { id, clientDataJson: clientDataJSON, attestationObject, transports };
    return toPasskey(await this.identity.addPasskey({ origin: this.origin, name, attestation }));
  }

  @Post('confirm/options')
  @Endpoint({
    summary: 'What a confirmation by one of the caller’s passkeys begins with',
    description: 'It can be answered once, within 5 minutes.',
    access: 'private',
    bodyless: true,
    limit: 'passkeys-account',
    status: 200,
    answer: passkeyRequestOptionsSchema,
  })
  async beginConfirmation(): Promise<PasskeyRequestOptions> {
    const { json } = await this.identity.beginPasskeyConfirmation({ origin: this.origin });
    return JSON.parse(json) as PasskeyRequestOptions;
  }

  @Post('confirm')
  @Endpoint({
    summary: 'Show a passkey in place of the current password',
    description:
      'For 5 minutes the session may then do what needs `currentPassword` without it: change the password or the e-mail, add a passkey, erase the account.',
    access: 'private',
    limit: 'passkeys-account',
    status: 204,
    errors: ['wrong-password'],
  })
  async confirm(@Body() body: PasskeyAssertionBody): Promise<void> {
    await this.identity.confirmByPasskey({ origin: this.origin, assertion: toAssertion(body) });
  }

  @Patch(':id')
  @Endpoint({
    summary: 'Rename a passkey',
    access: 'private',
    limit: 'passkeys-account',
    status: 200,
    answer: passkeySchema,
    errors: ['not-found'],
  })
  async rename(@Param('id') id: string, @Body() { name }: RenamePasskeyBody): Promise<PasskeyAnswer> {
    return toPasskey(await this.identity.renamePasskey({ id: pathId(id), name }));
  }

  @Delete(':id')
  @Endpoint({
    summary: 'Remove a passkey: it signs in no more',
    access: 'private',
    limit: 'passkeys-account',
    bodyless: true,
    status: 204,
    errors: ['not-found'],
  })
  async remove(@Param('id') id: string): Promise<void> {
    await this.identity.removePasskey({ id: pathId(id) });
  }
}
