import { Injectable } from '@nestjs/common';
import type { PasswordPolicy } from '@pulso/contracts/identity/v1/identity';
import { IdentitySettings } from '../settings.js';
import { PASSWORD_MAX } from './password-policy.js';

/** What a new password must be; public. */
@Injectable()
export class GetPasswordPolicy {
  constructor(private readonly settings: IdentitySettings) {}

  execute(): PasswordPolicy {
    return {
      minLength: this.settings.PASSWORD_MIN_LENGTH,
      maxLength: PASSWORD_MAX,
      requireLowercase: false,
      requireUppercase: false,
      requireNumeric: false,
      requireNonAlphanumeric: false,
    };
  }
}
