import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { UpdateMeRequest } from '@pulso/contracts/identity/v1/identity';
import { noteWrite } from '@pulso/platform/context/request-context';
import { tokenExpired } from '@pulso/platform/errors/domain-error';
import { stageEvent } from '@pulso/platform/events/postgres-outbox';
import { userTopic } from '@pulso/contracts/topics/identity';
import { nextVersion } from '@pulso/platform/events/version';
import type { Clock } from '@pulso/platform/time/clock';
import { DATA_SOURCE } from '../database/data-source.js';
import { isReservedUsername } from '../profile/reserved-usernames.js';
import { toUserState } from '../profile/user-state.js';
import { UsernameRepository } from '../profile/username.repository.js';
import type { Session } from '../session/session.entity.js';
import { CLOCK } from '../tokens.js';
import { emailInUse, mediaNotAttachable, usernameTaken, wrongPassword } from './account-errors.js';
import { PasswordHasher } from './password-hasher.js';
import { unusablePassword } from './password-policy.js';
import { checkPriceIsCoachs, type ProfileChanges, readChanges, withChanges } from './profile-changes.js';
import { SignedInAccount } from './signed-in-account.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';

/** So long after signing in a new e-mail address needs no password (http-api.md, "PATCH /api/me"). */
const FRESH_SIGN_IN_MS = 5 * 60 * 1000;

/**
 * Changes the caller's own account. Throws `validation-failed`, then `permission-denied` or `wrong-password`, then
 * `email-already-in-use` or `username-taken`, then `media-not-attachable`; nothing is changed unless all is.
 */
@Injectable()
export class UpdateMe {
  constructor(
    private readonly signedIn: SignedInAccount,
    @InjectDataSource(DATA_SOURCE) private readonly dataSource: DataSource,
    private readonly users: UserRepository,
    private readonly usernames: UsernameRepository,
    private readonly hasher: PasswordHasher,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute(request: UpdateMeRequest): Promise<User> {
    const { user, session } = await this.signedIn.require();
    const changes = readChanges(request);
    checkPriceIsCoachs(user, changes);
    // Outside of the transaction: hashing may have to queue, and nobody should wait for this row meanwhile.
    if (isNewEmail(user, changes)) await this.confirm(user, session, request.currentPassword);

    const saved = await this.dataSource.transaction((transaction) =>
      this.change(user.id, changes, transaction),
    );
    if (saved.published)
      noteWrite({ topic: userTopic.name, key: saved.user.id, version: saved.user.version });
    return saved.user;
  }

  private async change(id: string, changes: ProfileChanges, transaction: EntityManager) {
    const user = await this.users.lockById(id, transaction);
    if (user?.status !== 'active') throw tokenExpired();
    checkPriceIsCoachs(user, changes);
    const pendingEmail = await this.pendingEmail(user, changes, transaction);
    if (changes.username !== undefined && changes.username !== user.username) {
      await this.rename(user, changes.username, transaction);
    }
    if (changes.profileImageId && changes.profileImageId !== user.profileImageId) throw mediaNotAttachable();

    const changed = withChanges(user, changes);
    if (!changed && pendingEmail === user.pendingEmail) return { user, published: false };
    const saved: User = { ...(changed ?? user), pendingEmail, updatedAt: this.clock.now() };
    if (changed) saved.version = nextVersion(user.version, this.clock);
    await this.users.save(saved, transaction);
    if (changed) await stageEvent(transaction, userTopic, toUserState(saved));
    return { user: saved, published: changed !== undefined };
  }

  /** The address that waits for verification; asking for the present one again withdraws a change. */
  private async pendingEmail(
    user: User,
    changes: ProfileChanges,
    transaction: EntityManager,
  ): Promise<string | null> {
    if (changes.email === undefined) return user.pendingEmail;
    if (changes.email === user.email) return null;
    if (await this.users.emailExists(changes.email, transaction)) throw emailInUse();
    return changes.email;
  }

  private async rename(user: User, username: string, transaction: EntityManager): Promise<void> {
    if (isReservedUsername(username)) throw usernameTaken();
    if (!(await this.usernames.claim(username, user.id, transaction))) throw usernameTaken();
    await this.usernames.giveUpAllBut(username, user.id, transaction);
  }

  /** A stolen, still open session must not be enough to take the account over by a new address. */
  private async confirm(user: User, session: Session, password: string | undefined): Promise<void> {
    if (password === undefined && this.clock.now() - session.createdAt < FRESH_SIGN_IN_MS) return;
    if (password === undefined || unusablePassword(password)) throw wrongPassword();
    if (!(await this.hasher.verify(user.passwordHash, password))) throw wrongPassword();
  }
}

const isNewEmail = (user: User, { email }: ProfileChanges) =>
  email !== undefined && email !== user.email && email !== user.pendingEmail;
