import { Injectable } from '@nestjs/common';
import type { PasswordPolicy } from '@pulso/contracts/identity/v1/identity';
import { IdentitySettings } from '../settings.js';
import { policyOf } from './password-policy.js';

/** The rules for a new password; public. */
@Injectable()
export class GetPasswordPolicy {
  constructor(private readonly settings: IdentitySettings) {}

  execute(): PasswordPolicy {
    return policyOf(this.settings);
  }
}
