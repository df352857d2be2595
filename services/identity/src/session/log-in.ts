import { Injectable } from '@nestjs/common';
import type { LogInRequest, Session } from '@pulso/contracts/identity/v1/identity';
import { userDisabled } from '@pulso/platform/errors/user-errors';
import { Writes } from '@pulso/platform/postgres/writes';
import { PasswordHasher } from '../password/password-hasher.js';
import { UserRepository } from '../store/user.repository.js';
import { isEmail } from '../user/email.js';
import { RequestFields } from '../user/request-fields.js';
import { invalidCredential } from '../user/user-errors.js';
import { SessionIssuer } from './session-issuer.js';

/**
 * Signs in with e-mail and password. Throws `invalid-credential`, after the same time for an unknown address as for a
 * wrong password, and `user-disabled` only after the right password (ACCT-11). The gateway limits attempts (ACCT-13).
 */
@Injectable()
export class LogIn {
  constructor(
    private readonly writes: Writes,
    private readonly users: UserRepository,
    private readonly hasher: PasswordHasher,
    private readonly issuer: SessionIssuer,
  ) {}

  async execute(request: LogInRequest): Promise<Session> {
    const fields = new RequestFields();
    const email = fields.loginEmail(request.email);
    const password = fields.loginPassword(request.password);
    fields.check();

    const user = isEmail(email) ? await this.users.findByEmail(email) : null;
    const known = user?.status === 'deleted' ? null : user;
    const matches = await this.hasher.verify(known?.passwordHash ?? null, password);
    if (!known || !matches) throw invalidCredential();
    if (known.status === 'suspended') throw userDisabled();

    const issued = await this.writes.run(async (transaction) => {
      // Checked again under the lock: a suspension since the first check has ended all sessions but this one.
      const locked = await this.users.lockById(known.id, transaction);
      if (!locked || locked.status === 'deleted') throw invalidCredential();
      if (locked.status === 'suspended') throw userDisabled();
      return this.issuer.open(known.id, request.device, transaction);
    });
    return this.issuer.signIn(known, issued);
  }
}
