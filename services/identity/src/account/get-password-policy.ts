import { Inject, Injectable } from '@nestjs/common';
import { PASSWORD } from '@pulso/contracts/limits';
import type { PasswordPolicy } from '@pulso/contracts/identity/v1/identity';
import type { IdentityConfig } from '../config.js';
import { CONFIG } from '../tokens.js';

/** What a new password must be; public. */
@Injectable()
export class GetPasswordPolicy {
  constructor(@Inject(CONFIG) private readonly config: Pick<IdentityConfig, 'PASSWORD_MIN_LENGTH'>) {}

  execute(): PasswordPolicy {
    return {
      minLength: this.config.PASSWORD_MIN_LENGTH,
      maxLength: PASSWORD.max,
      requireLowercase: false,
      requireUppercase: false,
      requireNumeric: false,
      requireNonAlphanumeric: false,
    };
  }
}
