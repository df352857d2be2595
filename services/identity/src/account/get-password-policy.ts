import { Inject, Injectable } from '@nestjs/common';
import type { PasswordPolicy } from '@pulso/contracts/identity/v1/identity';
import type { IdentityConfig } from '../config.js';
import { CONFIG } from '../tokens.js';
import { PASSWORD_MAX } from './password-policy.js';

/** What a new password must be; public. */
@Injectable()
export class GetPasswordPolicy {
  constructor(@Inject(CONFIG) private readonly config: Pick<IdentityConfig, 'PASSWORD_MIN_LENGTH'>) {}

  execute(): PasswordPolicy {
    return {
      minLength: this.config.PASSWORD_MIN_LENGTH,
      maxLength: PASSWORD_MAX,
      requireLowercase: false,
      requireUppercase: false,
      requireNumeric: false,
      requireNonAlphanumeric: false,
    };
  }
}
