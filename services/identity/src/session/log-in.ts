import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { LogInRequest } from '@pulso/contracts/identity/v1/identity';
import { invalidCredential, userDisabled } from '../account/account-errors.js';
import { isEmail } from '../account/email.js';
import { PasswordHasher } from '../account/password-hasher.js';
import { UserRepository } from '../account/user.repository.js';
import { DATA_SOURCE } from '../database/data-source.js';
import { RequestFields } from '../request-fields.js';
import { SessionIssuer, type SignedIn } from './session-issuer.js';

/**
 * Signs in with e-mail and password. `invalid-credential` after the same time for an unknown address as for a wrong
 * password; `user-disabled` only after the right one. Limits on attempts are the gateway's (decisions 40).
 */
@Injectable()
export class LogIn {
  constructor(
    @InjectDataSource(DATA_SOURCE) private readonly dataSource: DataSource,
    private readonly users: UserRepository,
    private readonly hasher: PasswordHasher,
    private readonly issuer: SessionIssuer,
  ) {}

  async execute(request: LogInRequest): Promise<SignedIn> {
    const fields = new RequestFields();
    const email = fields.loginEmail(request.email);
    const password = fields.loginPassword(request.password);
    fields.check();

    const user = isEmail(email) ? await this.users.findByEmail(email) : null;
    const known = user?.status === 'deleted' ? null : user;
    const matches = await this.hasher.verify(known?.passwordHash ?? null, password);
    if (!known || !matches) throw invalidCredential();
    if (known.status === 'suspended') throw userDisabled();

    const issued = await this.dataSource.transaction(async (transaction) => {
      // Asked again under the lock: a suspension that came meanwhile has ended all sessions but this one.
      const locked = await this.users.lockById(known.id, transaction);
      if (!locked || locked.status === 'deleted') throw invalidCredential();
      if (locked.status === 'suspended') throw userDisabled();
      return this.issuer.open(known.id, request.device, transaction);
    });
    return this.issuer.signIn(known, issued);
  }
}
