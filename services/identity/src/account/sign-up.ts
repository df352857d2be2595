import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { SignUpRequest } from '@pulso/contracts/identity/v1/identity';
import { noteWrite } from '@pulso/platform/context/request-context';
import { stageEvent } from '@pulso/platform/events/postgres-outbox';
import { userTopic } from '@pulso/contracts/topics/identity';
import { nextVersion } from '@pulso/platform/events/version';
import { newId } from '@pulso/platform/ids/uuid-v7';
import type { Clock } from '@pulso/platform/time/clock';
import type { IdentityConfig } from '../config.js';
import { DATA_SOURCE } from '../database/data-source.js';
import { isReservedUsername } from '../profile/reserved-usernames.js';
import { toUserState } from '../profile/user-state.js';
import { UsernameRepository } from '../profile/username.repository.js';
import { RequestFields } from '../request-fields.js';
import { SessionIssuer, type SignedIn } from '../session/session-issuer.js';
import { CLOCK, CONFIG } from '../tokens.js';
import { emailInUse, usernameTaken } from './account-errors.js';
import { PasswordHasher } from './password-hasher.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';

/**
 * Creates an account and signs it in (http-api.md, "signup"). Throws `validation-failed`, then
 * `email-already-in-use`, then `username-taken`, also when somebody else is faster by a moment.
 */
@Injectable()
export class SignUp {
  constructor(
    @InjectDataSource(DATA_SOURCE) private readonly dataSource: DataSource,
    private readonly users: UserRepository,
    private readonly usernames: UsernameRepository,
    private readonly hasher: PasswordHasher,
    private readonly issuer: SessionIssuer,
    @Inject(CONFIG) private readonly config: Pick<IdentityConfig, 'PASSWORD_MIN_LENGTH'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute(request: SignUpRequest): Promise<SignedIn> {
    const { password, ...profile } = this.read(request);
    // Asked before the expensive hash; the transaction asks again.
    if (await this.users.emailExists(profile.email)) throw emailInUse();
    if (isReservedUsername(profile.username)) throw usernameTaken();
    if (await this.usernames.ownerOf(profile.username)) throw usernameTaken();

    const user = this.newUser(profile, await this.hasher.hash(password));
    const issued = await this.dataSource.transaction(async (transaction) => {
      if (!(await this.users.insert(user, transaction))) throw emailInUse();
      if (!(await this.usernames.claim(user.username, user.id, transaction))) throw usernameTaken();
      await stageEvent(transaction, userTopic, toUserState(user));
      return this.issuer.open(user.id, request.device, transaction);
    });
    noteWrite({ topic: userTopic.name, key: user.id, version: user.version });
    return this.issuer.signIn(user, issued);
  }

  private read(request: SignUpRequest) {
    const fields = new RequestFields();
    const account = {
      name: fields.name(request.name),
      username: fields.username(request.username),
      email: fields.email(request.email),
      password: fields.newPassword('password', request.password, {
        minLength: this.config.PASSWORD_MIN_LENGTH,
      }),
      isCoach: request.isCoach,
      bio: fields.bio(request.bio),
      specialties: fields.specialties(request.specialties),
    };
    fields.check();
    return account;
  }

  private newUser(profile: Omit<ReturnType<SignUp['read']>, 'password'>, passwordHash: string): User {
    const now = this.clock.now();
    return {
      ...profile,
      id: newId(),
      passwordHash,
      pendingEmail: null,
      emailVerified: false,
      subscriptionPriceMinor: null,
      subscriptionCurrency: null,
      profileImageId: null,
      status: 'active',
      version: nextVersion(undefined, this.clock),
      createdAt: now,
      updatedAt: now,
    };
  }
}
