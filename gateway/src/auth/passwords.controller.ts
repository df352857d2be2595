import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { IdentityClient } from '../clients.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { ChangePasswordBody, ForgotPasswordBody, ResetPasswordBody } from './auth.dto.js';
import { EndedSessions } from './ended-sessions.js';

/** Passwords of accounts (ACCT-9, ACCT-10, HTTP-43). */
@ApiTags('Authentication and account')
@Controller('api/auth/password')
export class PasswordsController {
  constructor(
    private readonly identity: IdentityClient,
    private readonly ended: EndedSessions,
  ) {}

  @Post('forgot')
  @Endpoint({
    summary: 'Ask for a mail with a link to a new password',
    description: 'The same for every address, whether or not there is such an account.',
    access: 'public',
    limit: 'forgot-address',
    status: 202,
  })
  async forgot(@Body() body: ForgotPasswordBody): Promise<void> {
    await this.identity.forgotPassword({ email: body.email });
  }

  @Post('reset')
  @Endpoint({
    summary: 'Set a new password by the token of such a link, and end all sessions',
    description: 'A password that is refused does not spend the token.',
    access: 'public',
    limit: 'action-code-address',
    status: 204,
    errors: ['invalid-action-code'],
  })
  async reset(@Body() { token, password }: ResetPasswordBody): Promise<void> {
    await this.identity.resetPassword({ token, password });
    // The gateway reads identity's list, since only identity knows which sessions these were.
    await this.ended.refresh();
  }

  @Post('change')
  @Endpoint({
    summary: 'Change the password and sign all other devices out',
    description:
      'An account without a password leaves `currentPassword` out, and must have signed in within 5 minutes.',
    access: 'private',
    limit: ['password-account-address', 'password-account', 'password-changes-account'],
    status: 204,
    errors: ['wrong-password'],
  })
  async change(@Body() { currentPassword = '', password }: ChangePasswordBody): Promise<void> {
    await this.identity.changePassword({ currentPassword, password });
    await this.ended.refresh();
  }
}
