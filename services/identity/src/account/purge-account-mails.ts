import { Injectable } from '@nestjs/common';
import { AccountNotices } from '../store/account-notices.js';
import { ActionTokens } from '../store/action-tokens.js';
import { SignInDevices } from '../store/sign-in-devices.js';
import { PasswordResets } from '../store/password-resets.js';

/** Deletes links, mails and requests of accounts that are over, and devices that were not seen for long. Can be aborted. */
@Injectable()
export class PurgeAccountMails {
  constructor(
    private readonly tokens: ActionTokens,
    private readonly notices: AccountNotices,
    private readonly requests: PasswordResets,
    private readonly devices: SignInDevices,
  ) {}

  async execute(stopping: AbortSignal): Promise<void> {
    for (const part of [this.tokens, this.notices, this.requests, this.devices]) await part.purge(stopping);
  }
}
