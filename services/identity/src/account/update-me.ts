import { Injectable } from '@nestjs/common';
import type { Account, UpdateMeRequest } from '@pulso/contracts/identity/v1/identity';
import { profileImageTicket } from '@pulso/contracts/media-tickets';
import { TicketVerifier } from '@pulso/platform/auth/signed-ticket';
import { nextVersion } from '@pulso/platform/events/version';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { SignedInAccount } from '../session/signed-in-account.js';
import type { FormerUsername } from '../store/former-username.js';
import { changedPrice, type Price } from '../store/price.js';
import { PriceIntents } from '../store/price-intents.js';
import { publishUser, userStands } from '../store/publish-user.js';
import type { SignedInRow } from '../store/shown-users.repository.js';
import type { User } from '../store/user.entity.js';
import { UserRepository } from '../store/user.repository.js';
import { emailInUse, mediaNotAttachable, wrongPassword } from '../user/user-errors.js';
import { toAccountMessage } from '../user/user-message.js';
import { ConfirmOwner } from './confirm-owner.js';
import {
  checkCoachsFields,
  checkMailsSwitchedOn,
  type ProfileChanges,
  readChanges,
  withChanges,
} from './profile-changes.js';
import { Rename } from './rename.js';
import { type PreparedLink, VerificationMails } from './verification-mails.js';

/** What was granted for a change before its transaction. */
interface Granted {
  /** The picture that media has granted to the user. */
  imageId?: string;
  /** To a new address, if it is the account's owner who asks. */
  link?: PreparedLink;
}

/**
 * Changes the caller's own account, all fields or none (PEOPLE-4). Throws `validation-failed`, then `permission-denied` or
 * `wrong-password`, then `email-already-in-use`, then `username-taken`, `too-many-renames` or
 * `too-many-former-usernames`, then `media-not-attachable` for a new picture without media's ticket (MEDIA-6).
 */
@Injectable()
export class UpdateMe {
  constructor(
    private readonly signedIn: SignedInAccount,
    private readonly writes: Writes,
    private readonly users: UserRepository,
    private readonly rename: Rename,
    private readonly intents: PriceIntents,
    private readonly owner: ConfirmOwner,
    private readonly mails: VerificationMails,
    private readonly tickets: TicketVerifier,
    private readonly clock: Clock,
  ) {}

  async execute(request: UpdateMeRequest): Promise<Account> {
    const user = await this.signedIn.require();
    const changes = readChanges(request);
    checkCoachsFields(user, changes);
    const granted: Granted = {
      link: await this.linkTo(user, changes, request.currentPassword),
      imageId: await this.grantedImage(user.id, request.profileImageTicket),
    };
    return toAccountMessage(
      await this.writes.run((transaction) => this.change(changes, granted, transaction)),
    );
  }

  private async change(changes: ProfileChanges, granted: Granted, transaction: Transaction): Promise<User> {
    const user = await this.signedIn.lock(transaction);
    checkCoachsFields(user, changes);
    checkMailsSwitchedOn(user, changes);
    const pendingEmail = await this.pendingEmail(user, changes, granted.link, transaction);
    const formerUsernames = await this.changeUsername(user, changes, transaction);
    const { profileImageId: picture } = changes;
    if (picture && picture !== user.profileImageId && picture !== granted.imageId) throw mediaNotAttachable();

    const changed = withChanges(user, changes);
    if (!changed) userStands(user, transaction);
    const price = await this.changePrice(user, changes, transaction);
    if (!changed && !price && pendingEmail === user.pendingEmail) return user;
    const saved: User = { ...(changed ?? user), formerUsernames, pendingEmail, updatedAt: this.clock.now() };
    if (changed) saved.version = nextVersion(user.version, this.clock);
    await this.users.save(saved, transaction);
    if (changed) await publishUser(saved, transaction);
    return price ? { ...saved, price } : saved;
  }

  /** The names that the user has given up, after the change. */
  private async changeUsername(
    user: User,
    { username }: ProfileChanges,
    transaction: Transaction,
  ): Promise<FormerUsername[]> {
    if (username === undefined || username === user.username) return user.formerUsernames;
    return this.rename.execute(user.id, username, transaction);
  }

  /** The new price, or undefined if it stays. It is shown at once, and billing stores it when the intent arrives. */
  private async changePrice(
    user: User,
    changes: ProfileChanges,
    transaction: Transaction,
  ): Promise<Price | undefined> {
    if (Object.values(changes.price).every((given) => given === undefined)) return undefined;
    const price = changedPrice(user.price, changes.price);
    if (price) await this.intents.store(user.id, price, transaction);
    else await this.intents.recordUnchanged(user.id, transaction);
    return price;
  }

  private async grantedImage(userId: string, ticket: string | undefined): Promise<string | undefined> {
    if (!ticket) return undefined;
    return (await this.tickets.verify(profileImageTicket, userId, ticket))?.imageId;
  }

  /** The address that waits for verification, which gets a link. A request for the current address cancels a pending change. */
  private async pendingEmail(
    user: User,
    { email }: ProfileChanges,
    link: PreparedLink | undefined,
    transaction: Transaction,
  ): Promise<string | null> {
    if (email === undefined || email === user.pendingEmail) return user.pendingEmail;
    if (email === user.email) {
      if (user.pendingEmail !== null) await this.mails.withdraw(user.id, transaction);
      return null;
    }
    // It was pending, so that nobody was asked for the password, and another request has withdrawn it meanwhile.
    if (!link) throw wrongPassword();
    if (await this.users.emailExists(email, transaction)) throw emailInUse();
    await this.mails.withdraw(user.id, transaction);
    await this.mails.sendWithinLimit(user, link, transaction);
    return email;
  }

  /** Whoever asks for a new address must be the account's owner. Undefined where it is not new. */
  private async linkTo(
    account: SignedInRow,
    { email }: ProfileChanges,
    password: string | undefined,
  ): Promise<PreparedLink | undefined> {
    if (email === undefined || email === account.email || email === account.pendingEmail) return undefined;
    await this.owner.check(account, password);
    return this.mails.prepare(email);
  }
}
