import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { IdentityClient } from '../clients.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { VerifyEmailBody } from './auth.dto.js';

/** Links that verify addresses (ACCT-27, HTTP-43). */
@ApiTags('Authentication and account')
@Controller('api/auth/email')
export class EmailLinksController {
  constructor(private readonly identity: IdentityClient) {}

  @Post('verify')
  @Endpoint({
    summary: 'Verify the address that the token of a mailed link was sent to',
    description: 'A pending address takes the place of the present one. Nobody needs to be signed in.',
    access: 'public',
    limit: 'action-code-address',
    status: 204,
    errors: ['invalid-action-code'],
  })
  async verify(@Body() { token }: VerifyEmailBody): Promise<void> {
    await this.identity.verifyEmail({ token });
  }

  @Post('resend')
  @Endpoint({
    summary: 'Send a new link to the address that is not verified',
    description:
      'To the pending one if there is one. Nothing is sent where all is verified, nor more than five in an hour.',
    access: 'private',
    limit: 'verification-mails-account',
    bodyless: true,
    status: 202,
  })
  async resend(): Promise<void> {
    await this.identity.resendVerification({});
  }
}
