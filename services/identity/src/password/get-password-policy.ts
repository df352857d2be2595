import { Injectable } from '@nestjs/common';
import { PASSWORD } from '@pulso/contracts/limits';
import type { PasswordPolicy } from '@pulso/contracts/identity/v1/identity';
import { IdentitySettings } from '../settings.js';

/** What a new password must be; public. */
@Injectable()
export class GetPasswordPolicy {
  constructor(private readonly settings: IdentitySettings) {}

  execute(): PasswordPolicy {
    return {
      minLength: this.settings.PASSWORD_MIN_LENGTH,
      maxLength: PASSWORD.max,
      requireLowercase: false,
      requireUppercase: false,
      requireNumeric: false,
      requireNonAlphanumeric: false,
    };
  }
}
