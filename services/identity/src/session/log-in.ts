import { Injectable } from '@nestjs/common';
import type { Device, LogInRequest, Session } from '@pulso/contracts/identity/v1/identity';
import { userDisabled } from '@pulso/platform/errors/user-errors';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import { PasswordHasher } from '../password/password-hasher.js';
import type { User } from '../store/user.entity.js';
import { UserRepository } from '../store/user.repository.js';
import { isEmail } from '../user/email.js';
import { RequestFields } from '../user/request-fields.js';
import { invalidCredential } from '../user/user-errors.js';
import { type OpenedSession, SessionIssuer } from './session-issuer.js';
import { type SignInMail, SignInNotices } from './sign-in-notices.js';

/** What a right password does beside opening a session. */
interface Prepared {
  /** The same password, hashed in the present form; undefined where it is. */
  passwordHash?: string;
  /** Of the sign-in, if it is on a new device. */
  notice: SignInMail | undefined;
  device: Device | undefined;
}

/**
 * Signs in with e-mail and password. Throws `invalid-credential`, after the same time for an unknown address as for a
 * wrong password, and `user-disabled` only after the right password (ACCT-11). The gateway limits attempts (ACCT-13). A sign-in on a
 * new device is told to the verified address (ACCT-41).
 */
@Injectable()
export class LogIn {
  constructor(
    private readonly writes: Writes,
    private readonly users: UserRepository,
    private readonly hasher: PasswordHasher,
    private readonly issuer: SessionIssuer,
    private readonly notices: SignInNotices,
  ) {}

  async execute(request: LogInRequest): Promise<Session> {
    const fields = new RequestFields();
    const email = fields.loginEmail(request.email);
    const password = fields.loginPassword(request.password);
    fields.check();

    const user = isEmail(email) ? await this.users.findByEmail(email) : null;
    const known = user?.status === 'deleted' ? null : user;
    const { isRight, isOfBefore } = await this.hasher.verify(known?.passwordHash ?? null, password);
    if (!known || !isRight) throw invalidCredential();
    if (known.status === 'suspended') throw userDisabled();

    const { device } = request;
    const prepared: Prepared = {
      device,
      passwordHash: isOfBefore ? await this.hasher.hash(password) : undefined,
      notice: await this.notices.prepare(known, device),
    };
    const opened = await this.writes.run((transaction) => this.open(known, prepared, transaction));
    // The password has changed since it was judged.
    return opened ? this.issuer.signIn(known, opened) : this.execute(request);
  }

  private async open(
    judged: User,
    { passwordHash, notice, device }: Prepared,
    transaction: Transaction,
  ): Promise<OpenedSession | undefined> {
    // Checked again under the lock: a suspension since the first check has ended all sessions but this one.
    const user = await this.users.lockById(judged.id, transaction);
    if (!user || user.status === 'deleted') throw invalidCredential();
    if (user.status === 'suspended') throw userDisabled();
    if (user.passwordHash !== judged.passwordHash) return undefined;
    if (passwordHash !== undefined) await this.users.save({ ...user, passwordHash }, transaction);
    const opened = await this.issuer.open(user.id, device, transaction);
    await this.notices.tell(user.id, notice, opened, transaction);
    return opened;
  }
}
