import { Module } from '@nestjs/common';
import { AccessTokenSigner, createAccessTokenSigner } from '@pulso/platform/auth/access-token';
import { createMessageSealer, MessageSealer } from '@pulso/platform/auth/sealed-message';
import { createTicketVerifier, TicketVerifier } from '@pulso/platform/auth/signed-ticket';
import { Clock } from '@pulso/platform/time/clock';
import { ConfirmOwner } from './account/confirm-owner.js';
import { IntendPrices } from './account/intend-prices.js';
import { PurgeAccountMails } from './account/purge-account-mails.js';
import { Rename } from './account/rename.js';
import { SendResetMails } from './account/send-reset-mails.job.js';
import { SetPassword } from './account/set-password.js';
import { VerificationMails } from './account/verification-mails.js';
import { EraseAccount } from './erasure/erase-account.js';
import { ErasureMetrics } from './erasure/erasure-metrics.js';
import { ShowUser } from './moderation/show-user.js';
import { FreeUsername } from './openid/free-username.js';
import { OpenidProvider } from './openid/openid-provider.js';
import { OpenidTransactions } from './openid/openid-transactions.js';
import { AskAgain } from './operator/ask-again.js';
import { TakeErasures } from './operator/take-erasures.js';
import { EndAllSessions } from './operator/end-all-sessions.js';
import { EraseByOperator } from './operator/erase-by-operator.js';
import { ExportByOperator } from './operator/export-by-operator.js';
import { FindAccount } from './operator/find-account.js';
import { VerifyByOperator } from './operator/verify-by-operator.js';
import { PasskeyChallenges } from './passkey/passkey-challenges.js';
import { ShownPasskeys } from './passkey/shown-passkeys.js';
import { Webauthn } from './passkey/webauthn.js';
import { PasswordHasher } from './password/password-hasher.js';
import { Acknowledgements } from './projections/known-acknowledgements.js';
import { PurgeSessions } from './session/purge-sessions.js';
import { RefreshTokens } from './session/refresh-token.js';
import { SessionIssuer } from './session/session-issuer.js';
import { SignInNotices } from './session/sign-in-notices.js';
import { SignedInAccount } from './session/signed-in-account.js';
import { IdentitySettings } from './settings.js';
import { AccountNotices } from './store/account-notices.js';
import { AccountTraces } from './store/account-traces.js';
import { ActionTokens } from './store/action-tokens.js';
import { AnsweredChallenges } from './store/answered-challenges.js';
import { CoachRepository } from './store/coach.repository.js';
import { DirectoryRows } from './store/directory-rows.js';
import { ErasureIntake } from './store/erasure-intake.js';
import { ErasureRepository } from './store/erasure.repository.js';
import { IdentityRows } from './store/identity-rows.js';
import { OpenidLinks } from './store/openid-links.js';
import { Passkeys } from './store/passkeys.js';
import { PasswordResets } from './store/password-resets.js';
import { PeopleRepository } from './store/people.repository.js';
import { PriceIntents } from './store/price-intents.js';
import { SessionRepository } from './store/session.repository.js';
import { ShownUsersRepository } from './store/shown-users.repository.js';
import { SignInDevices } from './store/sign-in-devices.js';
import { SpecialtyRepository } from './store/specialty.repository.js';
import { UserRepository } from './store/user.repository.js';
import { UsernameRepository } from './store/username.repository.js';
import { NamedUsers } from './user/named-users.js';
import { VisibleUsers } from './user/visible-users.js';

const signer = {
  provide: AccessTokenSigner,
  useFactory: (
    { ACCESS_TOKEN_KEYS: keys, ACCESS_TOKEN_TTL_SECONDS: ttlSeconds }: IdentitySettings,
    clock: Clock,
  ) => createAccessTokenSigner({ keys, ttlSeconds, clock }),
  inject: [IdentitySettings, Clock],
};

const tickets = {
  provide: TicketVerifier,
  useFactory: ({ MEDIA_TICKET_JWKS: jwks }: IdentitySettings, clock: Clock) =>
    createTicketVerifier({ jwks, clock }),
  inject: [IdentitySettings, Clock],
};

const sealer = {
  provide: MessageSealer,
  useFactory: ({ MAIL_SEALING_JWKS: [key] }: IdentitySettings) => createMessageSealer(key!),
  inject: [IdentitySettings],
};

@Module({
  providers: [
    ...[IdentityRows, DirectoryRows, UserRepository, ShownUsersRepository, UsernameRepository],
    SessionRepository,
    ...[CoachRepository, PeopleRepository, SpecialtyRepository, PriceIntents],
    ...[ActionTokens, AccountNotices, PasswordResets, SignInDevices, OpenidLinks, Passkeys],
    ...[signer, tickets, sealer, PasswordHasher, RefreshTokens, SessionIssuer, SignedInAccount, VisibleUsers],
    ...[ConfirmOwner, SetPassword, VerificationMails, SendResetMails, PurgeAccountMails],
    ...[AnsweredChallenges, PasskeyChallenges, ShownPasskeys, Webauthn],
    ...[SignInNotices, OpenidProvider, OpenidTransactions, FreeUsername],
    ...[ErasureRepository, AccountTraces, EraseAccount, Acknowledgements, AskAgain, ErasureMetrics],
    ...[ErasureIntake, TakeErasures],
    ...[NamedUsers, FindAccount, EndAllSessions, VerifyByOperator, ExportByOperator],
    ...[EraseByOperator, ShowUser],
    ...[Rename, IntendPrices, PurgeSessions],
  ],
})
export class IdentityModule {}
