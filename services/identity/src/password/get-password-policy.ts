import { Injectable } from '@nestjs/common';
import { PASSWORD } from '@pulso/contracts/limits';
import type { PasswordPolicy } from '@pulso/contracts/identity/v1/identity';
import { IdentitySettings } from '../settings.js';

/** The rules for a new password; public. */
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
