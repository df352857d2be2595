import { rpcContracts } from '@pulso/contracts/rpc';
import { billingErasureTopic, priceTopic, subscriptionTopic } from '@pulso/contracts/topics/billing';
import {
  accountNoticeTopic,
  contactTopic,
  erasureTopic,
  priceIntentTopic,
  userTopic,
} from '@pulso/contracts/topics/identity';
import { mediaErasureTopic } from '@pulso/contracts/topics/media';
import { messagingErasureTopic } from '@pulso/contracts/topics/messaging';
import { postsErasureTopic } from '@pulso/contracts/topics/posts';
import {
  blockTopic,
  socialErasureTopic,
  userFiguresTopic,
  userSuspensionTopic,
} from '@pulso/contracts/topics/social';
import { auditTrail } from '@pulso/platform/audit/audit-part';
import { publicJwks } from '@pulso/platform/auth/access-token';
import { owned, postgres } from '@pulso/platform/postgres/postgres-store';
import { defineService } from '@pulso/platform/service/define-service';
import { job } from '@pulso/platform/service/service-job';
import { ChangePassword } from './account/change-password.js';
import { ForgotPassword } from './account/forgot-password.js';
import { GetMe } from './account/get-me.js';
import { priceCommands } from './account/intend-prices.js';
import { PurgeAccountMails } from './account/purge-account-mails.js';
import { ResendVerification } from './account/resend-verification.js';
import { ResetPassword } from './account/reset-password.js';
import { SignUp } from './account/sign-up.js';
import { Unsubscribe } from './account/unsubscribe.js';
import { UpdateMe } from './account/update-me.js';
import { VerifyEmail } from './account/verify-email.js';
import { EraseMe } from './account/erase-me.js';
import { ListCoaches } from './directory/list-coaches.js';
import { ListPeople } from './directory/list-people.js';
import { ListSpecialties } from './directory/list-specialties.js';
import { IdentityModule } from './identity.module.js';
import { AddAccountMails1765200000000 } from './migrations/add-account-mails.migration.js';
import { AddErasures1766600000001 } from './migrations/add-erasures.migration.js';
import { AddMailSettings1764700000000 } from './migrations/add-mail-settings.migration.js';
import { CompareTexts1765000000000 } from './migrations/compare-texts.migration.js';
import { CreateAccounts1763600000000 } from './migrations/create-accounts.migration.js';
import { CreateDirectory1764100000000 } from './migrations/create-directory.migration.js';
import { DropPrices1764900000002 } from './migrations/drop-prices.migration.js';
import { DropSpecialtiesIndex1765000000001 } from './migrations/drop-specialties-index.migration.js';
import { FoldByTrigger1764400000000 } from './migrations/fold-by-trigger.migration.js';
import {
  FillPriceIntents1764900000001,
  HandPricesOver1764900000000,
} from './migrations/hand-prices-over.migration.js';
import { IndexLiveTokens1764800000000 } from './migrations/index-live-tokens.migration.js';
import { KeepMerits1764400000001 } from './migrations/keep-merits.migration.js';
import { LimitRenames1764300000000 } from './migrations/limit-renames.migration.js';
import { RebuildProjections1764200000001 } from './migrations/rebuild-projections.migration.js';
import { SearchPeople1764500000000 } from './migrations/search-people.migration.js';
import { SuggestCoachesSpecialties1764300000001 } from './migrations/suggest-coaches-specialties.migration.js';
import { CreateOpenidLinks1765200000001 } from './migrations/create-openid-links.migration.js';
import { CreatePasskeys1765300000000 } from './migrations/create-passkeys.migration.js';
import { OpenErasureIntake1766800000001 } from './migrations/open-erasure-intake.migration.js';
import { moderationCommands } from './moderation/moderation-commands.js';
import { BeginOpenid } from './openid/begin-openid.js';
import { FinishOpenid } from './openid/finish-openid.js';
import { accountCommands } from './operator/account-commands.js';
import { erasureCommands } from './operator/erasure-commands.js';
import { AddPasskey } from './passkey/add-passkey.js';
import { BeginPasskey } from './passkey/begin-passkey.js';
import { BeginPasskeyConfirmation } from './passkey/begin-passkey-confirmation.js';
import { BeginPasskeyLogIn } from './passkey/begin-passkey-log-in.js';
import { ConfirmByPasskey } from './passkey/confirm-by-passkey.js';
import { ListPasskeys } from './passkey/list-passkeys.js';
import { LogInByPasskey } from './passkey/log-in-by-passkey.js';
import { RemovePasskey } from './passkey/remove-passkey.js';
import { RenamePasskey } from './passkey/rename-passkey.js';
import { GetPasswordPolicy } from './password/get-password-policy.js';
import {
  ErasedByBilling,
  ErasedByMedia,
  ErasedByMessaging,
  ErasedByPosts,
  ErasedBySocial,
} from './projections/known-acknowledgements.js';
import { KnownBlocks } from './projections/known-blocks.js';
import { KnownFigures } from './projections/known-figures.js';
import { KnownPrices } from './projections/known-prices.js';
import { KnownSubscriptions } from './projections/known-subscriptions.js';
import { KnownSuspensions } from './projections/known-suspensions.js';
import { EndOtherSessions } from './session/end-other-sessions.js';
import { EndSession } from './session/end-session.js';
import { ListEndedSessions } from './session/list-ended-sessions.js';
import { ListSessions } from './session/list-sessions.js';
import { LogIn } from './session/log-in.js';
import { LogOut } from './session/log-out.js';
import { PurgeSessions } from './session/purge-sessions.js';
import { RefreshSession } from './session/refresh-session.js';
import { IdentitySettings } from './settings.js';
import { AccountNotice, toAccountNoticeState } from './store/account-notice.entity.js';
import { AccountTraces } from './store/account-traces.js';
import { AnsweredChallenges } from './store/answered-challenges.js';
import { CoachRepository } from './store/coach.repository.js';
import { toContactState } from './store/contact-state.js';
import { Erasure, toErasureState } from './store/erasure.entity.js';
import { ExportedRows } from './store/exported-rows.js';
import { MarkedErasures } from './store/marked-erasures.js';
import { PriceIntent, toPriceIntentState } from './store/price-intent.entity.js';
import { RefreshToken } from './store/refresh-token.entity.js';
import { Session } from './store/session.entity.js';
import { toUserState } from './store/user-state.js';
import { User } from './store/user.entity.js';
import { GetUser } from './user/get-user.js';
import { GetUserByUsername } from './user/get-user-by-username.js';
import { GetUserVersion } from './user/get-user-version.js';
import { GetUsers } from './user/get-users.js';
import { ListSubscriberEmails } from './user/list-subscriber-emails.js';

const FORMER_MERITS_MS = 10 * 60_000;
const HOUR_MS = 60 * 60_000;

/** Accounts, sessions, profiles, the coach directory and people search. */
export const identity = defineService({
  name: 'identity',
  rpc: rpcContracts.identity,
  handlers: {
    signUp: SignUp,
    logIn: LogIn,
    refreshSession: RefreshSession,
    logOut: LogOut,
    getPasswordPolicy: GetPasswordPolicy,
    listSessions: ListSessions,
    endSession: EndSession,
    endOtherSessions: EndOtherSessions,
    listEndedSessions: ListEndedSessions,
    forgotPassword: ForgotPassword,
    resetPassword: ResetPassword,
    changePassword: ChangePassword,
    verifyEmail: VerifyEmail,
    resendVerification: ResendVerification,
    beginOpenid: BeginOpenid,
    finishOpenid: FinishOpenid,
    beginPasskeyLogIn: BeginPasskeyLogIn,
    logInByPasskey: LogInByPasskey,
    listPasskeys: ListPasskeys,
    beginPasskey: BeginPasskey,
    addPasskey: AddPasskey,
    renamePasskey: RenamePasskey,
    removePasskey: RemovePasskey,
    beginPasskeyConfirmation: BeginPasskeyConfirmation,
    confirmByPasskey: ConfirmByPasskey,
    getMe: GetMe,
    updateMe: UpdateMe,
    eraseMe: EraseMe,
    unsubscribe: Unsubscribe,
    getUser: GetUser,
    getUsers: GetUsers,
    getUserVersion: GetUserVersion,
    getUserByUsername: GetUserByUsername,
    listCoaches: ListCoaches,
    listPeople: ListPeople,
    listSubscriberEmails: ListSubscriberEmails,
    listSpecialties: ListSpecialties,
  },
  settings: IdentitySettings,
  signals: true,
  verificationKeys: (settings) => publicJwks(settings.ACCESS_TOKEN_KEYS),
  store: postgres({
    entities: [User, Session, RefreshToken, PriceIntent, AccountNotice, Erasure],
    migrations: [
      CreateAccounts1763600000000,
      CreateDirectory1764100000000,
      RebuildProjections1764200000001,
      LimitRenames1764300000000,
      SuggestCoachesSpecialties1764300000001,
      FoldByTrigger1764400000000,
      KeepMerits1764400000001,
      SearchPeople1764500000000,
      AddMailSettings1764700000000,
      IndexLiveTokens1764800000000,
      HandPricesOver1764900000000,
      FillPriceIntents1764900000001,
      CompareTexts1765000000000,
      AddAccountMails1765200000000,
      CreateOpenidLinks1765200000001,
      CreatePasskeys1765300000000,
      AddErasures1766600000001,
      OpenErasureIntake1766800000001,
    ],
    cleanupMigrations: [DropPrices1764900000002, DropSpecialtiesIndex1765000000001],
    owns: [
      owned(userTopic, User, toUserState),
      owned(contactTopic, User, toContactState),
      owned(priceIntentTopic, PriceIntent, toPriceIntentState),
      owned(accountNoticeTopic, AccountNotice, toAccountNoticeState),
      owned(erasureTopic, Erasure, toErasureState),
    ],
    marks: MarkedErasures,
    parts: [auditTrail],
  }),
  module: IdentityModule,
  consumes: [
    ...[blockTopic, userFiguresTopic, userSuspensionTopic, priceTopic, subscriptionTopic],
    ...[billingErasureTopic, mediaErasureTopic, messagingErasureTopic, postsErasureTopic, socialErasureTopic],
  ],
  projections: [
    ...[KnownBlocks, KnownSuspensions, KnownFigures, KnownPrices, KnownSubscriptions],
    ...[ErasedByBilling, ErasedByMedia, ErasedByMessaging, ErasedByPosts, ErasedBySocial],
  ],
  exports: ExportedRows,
  formerGroups: [
    { topic: blockTopic, groups: ['identity'] },
    { topic: userSuspensionTopic, groups: ['identity'] },
  ],
  commands: { ...accountCommands, ...erasureCommands, ...moderationCommands, ...priceCommands },
  jobs: [
    job('purge of former merits', FORMER_MERITS_MS, CoachRepository, (coaches, stopping) =>
      coaches.purgeFormerMerits(stopping),
    ),
    job('purge of sessions', HOUR_MS, PurgeSessions, (purge, stopping) => purge.execute(stopping)),
    job('purge of names of erased accounts', HOUR_MS, AccountTraces, (traces, stopping) =>
      traces.purgeUsernames(stopping),
    ),
    job('purge of answered challenges', HOUR_MS, AnsweredChallenges, (challenges, stopping) =>
      challenges.purge(stopping),
    ),
    job('purge of account mails', HOUR_MS, PurgeAccountMails, (purge, stopping) => purge.execute(stopping)),
  ],
});
