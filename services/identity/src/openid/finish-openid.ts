import { Injectable } from '@nestjs/common';
import type { FinishOpenidRequest, Session } from '@pulso/contracts/identity/v1/identity';
import { languageOf } from '@pulso/contracts/limits';
import { currentContext } from '@pulso/platform/context/request-context';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { userDisabled } from '@pulso/platform/errors/user-errors';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { newUser } from '../account/new-user.js';
import { VerificationMails } from '../account/verification-mails.js';
import { type IssuedToken, SessionIssuer } from '../session/session-issuer.js';
import { SignInNotices } from '../session/sign-in-notices.js';
import { AccountNotices } from '../store/account-notices.js';
import { ActionTokens } from '../store/action-tokens.js';
import { OpenidLinks } from '../store/openid-links.js';
import { Passkeys } from '../store/passkeys.js';
import { publishUser } from '../store/publish-user.js';
import { SessionRepository } from '../store/session.repository.js';
import type { User } from '../store/user.entity.js';
import { UserRepository } from '../store/user.repository.js';
import { UsernameRepository } from '../store/username.repository.js';
import { emailInUse, invalidCredential } from '../user/user-errors.js';
import { FreeUsername } from './free-username.js';
import { type OpenidProfile, profileOf } from './openid-profile.js';
import { OpenidProvider } from './openid-provider.js';
import { OpenidTransactions } from './openid-transactions.js';

/** Of who loses a race: each time somebody else has won one. */
const ATTEMPTS = 10;

interface SignedIn {
  user: User;
  issued: IssuedToken;
}

/** Another sign-in or sign-up has committed first what this one was about to write, and nothing of this one stays. */
class LostRace extends Error {
  override readonly name = 'LostRace';
}

/**
 * Ends a sign-in at the OpenID provider (ACCT-28): signs in the account that is linked with the provider's user; else links the one with
 * the same address, where both sides have verified it; else makes a member (ACCT-29). Throws `invalid-credential`,
 * `sign-in-denied`, `email-already-in-use`, `user-disabled`, `unavailable`.
 */
@Injectable()
export class FinishOpenid {
  constructor(
    private readonly writes: Writes,
    private readonly provider: OpenidProvider,
    private readonly transactions: OpenidTransactions,
    private readonly links: OpenidLinks,
    private readonly passkeys: Passkeys,
    private readonly tokens: ActionTokens,
    private readonly users: UserRepository,
    private readonly usernames: UsernameRepository,
    private readonly sessions: SessionRepository,
    private readonly freeUsername: FreeUsername,
    private readonly issuer: SessionIssuer,
    private readonly signInNotices: SignInNotices,
    private readonly notices: AccountNotices,
    private readonly mails: VerificationMails,
    private readonly clock: Clock,
  ) {}

  async execute(request: FinishOpenidRequest): Promise<Session> {
    const checks = this.transactions.open(request.transaction);
    const claims = await this.provider.finish(request.callbackUrl, checks);
    // The user has been told that it failed: no session begins any more that nobody has.
    if (currentContext()?.cancellation.over) throw unavailable();
    const profile = profileOf(claims);
    if (!profile) throw invalidCredential();
    const { user, issued } = await this.signIn(profile, request);
    return this.issuer.signIn(user, issued);
  }

  private async signIn(profile: OpenidProfile, request: FinishOpenidRequest): Promise<SignedIn> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      try {
        return await this.attempt(profile, request);
      } catch (error) {
        if (!(error instanceof LostRace)) throw error;
      }
    }
    throw unavailable();
  }

  private async attempt(profile: OpenidProfile, request: FinishOpenidRequest): Promise<SignedIn> {
    const linked = await this.links.userOf(profile);
    if (linked !== undefined) {
      const known = await this.users.findById(linked);
      return this.enter(known, request, (user, transaction) => this.isLinked(user, profile, transaction));
    }
    const match = await this.users.findByEmail(profile.email);
    if (!match) return this.register(profile, request);
    return this.enter(match, request, (user, transaction) => this.join(user, profile, transaction));
  }

  /** Opens a session of an account that is there, after `check` under its lock, which returns the account as it is then. */
  private async enter(
    known: User | null,
    { device }: FinishOpenidRequest,
    check: (user: User, transaction: Transaction) => Promise<{ user: User; isJoined: boolean }>,
  ): Promise<SignedIn> {
    if (!known) throw new LostRace();
    const notice = await this.signInNotices.prepare(known, device);
    return this.writes.run(async (transaction) => {
      const found = await this.users.lockById(known.id, transaction);
      if (!found || found.status === 'deleted') throw invalidCredential();
      const { user, isJoined } = await check(found, transaction);
      if (user.status === 'suspended') throw userDisabled();
      const issued = await this.issuer.open(user.id, device, transaction);
      // Whoever joins an account is told, also on a device that somebody has used before them.
      const opened = isJoined ? { ...issued, isNewDevice: true } : issued;
      await this.signInNotices.tell(user.id, notice, opened, transaction);
      return { user, issued };
    });
  }

  /** The link may have gone since: by somebody who has shown that the address is theirs. */
  private async isLinked(user: User, profile: OpenidProfile, transaction: Transaction) {
    if ((await this.links.userOf(profile, transaction)) !== user.id) throw new LostRace();
    return { user, isJoined: false };
  }

  /**
   * Whoever has either address without being its owner would else get into the other's account. Somebody else may have made the
   * account and waited for the owner to verify its address: no session and no way in stays to them. Only after a join that has shown
   * whose the account is are its password and passkeys the owner's.
   */
  private async join(user: User, profile: OpenidProfile, transaction: Transaction) {
    if (user.email !== profile.email) throw new LostRace();
    if (!user.emailVerified || !profile.emailVerified) throw emailInUse();
    await this.links.removeUnproven(user, transaction);
    const isFirst = !(await this.links.existsOf(user.id, transaction));
    const joined = isFirst ? await this.removeOwnWays(user, transaction) : user;
    if (!isFirst) await this.passkeys.removeUnproven(user, transaction);
    if (!(await this.links.insert(profile, user.id, transaction))) throw new LostRace();
    await this.sessions.endAll(user.id, 'revoked', this.clock.now(), transaction);
    return { user: joined, isJoined: true };
  }

  /** As a reset of the password does (ACCT-41), which gives a new one. Returns the account without. */
  private async removeOwnWays(user: User, transaction: Transaction): Promise<User> {
    await this.passkeys.removeAll(user, transaction);
    await this.tokens.remove('reset-password', user.id, transaction);
    if (user.pendingEmail !== null) await this.tokens.remove('verify-email', user.id, transaction);
    const changed: User = { ...user, passwordHash: null, pendingEmail: null, updatedAt: this.clock.now() };
    await this.users.save(changed, transaction);
    return changed;
  }

  private async register(profile: OpenidProfile, request: FinishOpenidRequest): Promise<SignedIn> {
    const { email, emailVerified, name } = profile;
    const id = newId();
    const user = newUser(
      {
        ...{ name, email, emailVerified },
        username: await this.freeUsername.for(profile, id),
        passwordHash: null,
        ...{ isCoach: false, bio: '', specialties: [] },
        language: languageOf(request.language),
      },
      this.clock,
      id,
    );
    const welcome = await this.prepareWelcome(user);
    return this.writes.run(async (transaction) => {
      const isFirst =
        (await this.users.insert(user, transaction)) &&
        (await this.usernames.claim(user.username, user.id, transaction)) &&
        (await this.links.insert(profile, user.id, transaction));
      if (!isFirst) throw new LostRace();
      await publishUser(user, transaction);
      await welcome(transaction);
      return { user, issued: await this.issuer.open(user.id, request.device, transaction) };
    });
  }

  /** The first mail of the account, sealed; it has a link where the address is still to be verified (MAIL-1). */
  private async prepareWelcome({ id, email, emailVerified }: User) {
    if (emailVerified) {
      const mail = await this.notices.seal('welcome', {});
      return (transaction: Transaction) => this.notices.tell(id, mail, transaction);
    }
    const link = await this.mails.prepareWelcome(email);
    return (transaction: Transaction) => this.mails.send(id, link, transaction);
  }
}
