import { Injectable } from '@nestjs/common';
import type { ForgotPasswordRequest, ForgotPasswordResponse } from '@pulso/contracts/identity/v1/identity';
import { PasswordResets } from '../store/password-resets.js';
import { RequestFields } from '../user/request-fields.js';
import { SendResetMails } from './send-reset-mails.job.js';

/**
 * Asks for a mail with a link to a new password (ACCT-10). Does the same for every address: `SendResetMails` looks for the account
 * afterwards, so that neither answer nor time tells whether there is one. Throws `validation-failed`.
 */
@Injectable()
export class ForgotPassword {
  constructor(
    private readonly requests: PasswordResets,
    private readonly mails: SendResetMails,
  ) {}

  async execute(request: ForgotPasswordRequest): Promise<ForgotPasswordResponse> {
    const fields = new RequestFields();
    const email = fields.email(request.email);
    fields.check();
    await this.requests.ask(email);
    this.mails.nudge();
    return {};
  }
}
