import { Module } from '@nestjs/common';
import { AccessTokenSigner, createAccessTokenSigner } from '@pulso/platform/auth/access-token';
import { createTicketVerifier, TicketVerifier } from '@pulso/platform/auth/signed-ticket';
import { Clock } from '@pulso/platform/time/clock';
import { AccountGrpc } from './account/account.grpc.js';
import { GetMe } from './account/get-me.js';
import { IntendPrices } from './account/intend-prices.js';
import { Rename } from './account/rename.js';
import { SignUp } from './account/sign-up.js';
import { Unsubscribe } from './account/unsubscribe.js';
import { UpdateMe } from './account/update-me.js';
import { ShowUser } from './moderation/show-user.js';
import { VerifyEmail } from './account/verify-email.js';
import { KnownBlocks } from './projections/known-blocks.js';
import { CoachRepository } from './store/coach.repository.js';
import { DirectoryGrpc } from './directory/directory.grpc.js';
import { KnownFigures } from './projections/known-figures.js';
import { ListCoaches } from './directory/list-coaches.js';
import { ListPeople } from './directory/list-people.js';
import { ListSpecialties } from './directory/list-specialties.js';
import { PeopleRepository } from './store/people.repository.js';
import { SpecialtyRepository } from './store/specialty.repository.js';
import { ApplySuspension } from './projections/known-suspensions.js';
import { GetPasswordPolicy } from './password/get-password-policy.js';
import { PasswordHasher } from './password/password-hasher.js';
import { KnownPrices } from './projections/known-prices.js';
import { PriceIntents } from './store/price-intents.js';
import { GetUserByUsername } from './user/get-user-by-username.js';
import { GetUserVersion } from './user/get-user-version.js';
import { GetUser } from './user/get-user.js';
import { GetUsers } from './user/get-users.js';
import { ProfileGrpc } from './user/profile.grpc.js';
import { EndSession } from './session/end-session.js';
import { ListEndedSessions } from './session/list-ended-sessions.js';
import { ListSessions } from './session/list-sessions.js';
import { LogIn } from './session/log-in.js';
import { LogOut } from './session/log-out.js';
import { PurgeSessions } from './session/purge-sessions.js';
import { RefreshSession } from './session/refresh-session.js';
import { RefreshTokens } from './session/refresh-token.js';
import { SessionIssuer } from './session/session-issuer.js';
import { SessionGrpc } from './session/session.grpc.js';
import { SessionRepository } from './store/session.repository.js';
import { SignedInAccount } from './session/signed-in-account.js';
import { IdentitySettings } from './settings.js';
import { KnownSubscriptions } from './projections/known-subscriptions.js';
import { ListSubscriberEmails } from './user/list-subscriber-emails.js';
import { UserRepository } from './store/user.repository.js';
import { UsernameRepository } from './store/username.repository.js';

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

@Module({
  controllers: [AccountGrpc, SessionGrpc, ProfileGrpc, DirectoryGrpc],
  providers: [
    ...[UserRepository, UsernameRepository, SessionRepository, KnownBlocks],
    ...[signer, tickets, PasswordHasher, GetPasswordPolicy, SignedInAccount, RefreshTokens, SessionIssuer],
    ...[SignUp, GetMe, UpdateMe, Unsubscribe, VerifyEmail, Rename, ShowUser],
    ...[GetUser, GetUsers, GetUserVersion, GetUserByUsername],
    ...[LogIn, RefreshSession, LogOut, ListSessions, EndSession, ListEndedSessions, PurgeSessions],
    ...[CoachRepository, SpecialtyRepository, KnownFigures, ListCoaches, ListSpecialties],
    ...[PeopleRepository, ListPeople],
    ...[PriceIntents, KnownPrices, IntendPrices],
    ...[ApplySuspension, KnownSubscriptions, ListSubscriberEmails],
  ],
})
export class IdentityModule {}
