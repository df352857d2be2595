import { Injectable } from '@nestjs/common';
import type { PasswordPolicy } from '@pulso/contracts/identity/v1/identity';
import { IdentitySettings } from '../settings.js';

/** The rules for a new password (ACCT-6, ACCT-7); public. */
@Injectable()
export class GetPasswordPolicy {
  constructor(private readonly settings: IdentitySettings) {}

  execute(): PasswordPolicy {
    return {
      minLength: this.settings.PASSWORD_MIN_LENGTH,
      maxLength: this.settings.PASSWORD_MAX_LENGTH,
      requireLowercase: this.settings.PASSWORD_REQUIRE_LOWERCASE,
      requireUppercase: this.settings.PASSWORD_REQUIRE_UPPERCASE,
      requireNumeric: this.settings.PASSWORD_REQUIRE_NUMERIC,
      requireNonAlphanumeric: this.settings.PASSWORD_REQUIRE_NON_ALPHANUMERIC,
    };
  }
}
