import { Injectable } from '@nestjs/common';
import type { Session, SignUpRequest } from '@pulso/contracts/identity/v1/identity';
import { LANGUAGES } from '@pulso/contracts/limits';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { PasswordHasher } from '../password/password-hasher.js';
import { policyOf } from '../password/password-policy.js';
import { SessionIssuer } from '../session/session-issuer.js';
import { IdentitySettings } from '../settings.js';
import { publishUser } from '../store/publish-user.js';
import { UserRepository } from '../store/user.repository.js';
import { UsernameRepository } from '../store/username.repository.js';
import { RequestFields } from '../user/request-fields.js';
import { isReservedUsername } from '../user/reserved-usernames.js';
import { emailInUse, specialtiesAreCoachs, usernameTaken } from '../user/user-errors.js';
import { newUser } from './new-user.js';
import { VerificationMails } from './verification-mails.js';

/**
 * Creates an account, signs it in and welcomes the user (ACCT-1, ACCT-2, MAIL-1). Throws `validation-failed`, then `permission-denied`, then
 * `email-already-in-use`, then `username-taken`, also when a concurrent sign-up commits first.
 */
@Injectable()
export class SignUp {
  constructor(
    private readonly writes: Writes,
    private readonly users: UserRepository,
    private readonly usernames: UsernameRepository,
    private readonly hasher: PasswordHasher,
    private readonly issuer: SessionIssuer,
    private readonly mails: VerificationMails,
    private readonly settings: IdentitySettings,
    private readonly clock: Clock,
  ) {}

  async execute(request: SignUpRequest): Promise<Session> {
    const { password, ...profile } = this.read(request);
    // Checked before the expensive hash; the insert checks it again.
    if (await this.users.emailExists(profile.email)) throw emailInUse();
    if (isReservedUsername(profile.username)) throw usernameTaken();
    if (await this.usernames.ownerOf(profile.username)) throw usernameTaken();

    const passwordHash = await this.hasher.hash(password);
    const user = newUser({ ...profile, passwordHash, emailVerified: false }, this.clock);
    const welcome = await this.mails.prepareWelcome(user.email);
    const issued = await this.writes.run(async (transaction) => {
      if (!(await this.users.insert(user, transaction))) throw emailInUse();
      if (!(await this.usernames.claim(user.username, user.id, transaction))) throw usernameTaken();
      await publishUser(user, transaction);
      await this.mails.send(user.id, welcome, transaction);
      return this.issuer.open(user.id, request.device, transaction);
    });
    return this.issuer.signIn(user, issued);
  }

  private read(request: SignUpRequest) {
    const fields = new RequestFields();
    const account = {
      name: fields.name(request.name),
      username: fields.username(request.username),
      email: fields.email(request.email),
      password: fields.newPassword('password', request.password, policyOf(this.settings)),
      isCoach: request.isCoach,
      bio: fields.bio(request.bio),
      specialties: fields.specialties(request.specialties),
      // Gateways of the version before send none.
      language: fields.language(request.language || LANGUAGES[0]),
    };
    fields.check();
    if (account.specialties.length > 0 && !account.isCoach) throw specialtiesAreCoachs();
    return account;
  }
}
