import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { type AccessTokenSigner, createAccessTokenSigner } from '@pulso/platform/auth/access-token';
import { createCursorSealer } from '@pulso/platform/auth/sealed-cursor';
import type { Clock } from '@pulso/platform/time/clock';
import { AccountGrpc } from './account/account.grpc.js';
import { GetMe } from './account/get-me.js';
import { GetPasswordPolicy } from './account/get-password-policy.js';
import { PasswordHasher } from './account/password-hasher.js';
import { SignUp } from './account/sign-up.js';
import { SignedInAccount } from './account/signed-in-account.js';
import { UpdateMe } from './account/update-me.js';
import { UserRepository } from './account/user.repository.js';
import type { IdentityConfig } from './config.js';
import { DATA_SOURCE, dataSourceOptions } from './database/data-source.js';
import { CoachRepository } from './directory/coach.repository.js';
import { DirectoryGrpc } from './directory/directory.grpc.js';
import { KnownBlocks } from './directory/known-blocks.js';
import { ListCoaches } from './directory/list-coaches.js';
import { ListSpecialties } from './directory/list-specialties.js';
import { SpecialtyRepository } from './directory/specialty.repository.js';
import { ApplySuspension } from './moderation/apply-suspension.js';
import { GetUserByUsername } from './profile/get-user-by-username.js';
import { GetUser } from './profile/get-user.js';
import { ProfileGrpc } from './profile/profile.grpc.js';
import { RepublishUsers } from './profile/republish-users.js';
import { UsernameRepository } from './profile/username.repository.js';
import { EndSession } from './session/end-session.js';
import { ListEndedSessions } from './session/list-ended-sessions.js';
import { ListSessions } from './session/list-sessions.js';
import { LogIn } from './session/log-in.js';
import { LogOut } from './session/log-out.js';
import { PurgeSessions } from './session/purge-sessions.js';
import { RefreshSession } from './session/refresh-session.js';
import { SessionIssuer } from './session/session-issuer.js';
import { SessionGrpc } from './session/session.grpc.js';
import { SessionRepository } from './session/session.repository.js';
import { ACCESS_TOKEN_SIGNER, CLOCK, CONFIG, CURSOR_SEALER } from './tokens.js';

@Module({})
export class IdentityModule {
  /** The service's parts on its own database, which must have been migrated. */
  static with({ config, clock }: { config: IdentityConfig; clock: Clock }): DynamicModule {
    const signer: AccessTokenSigner = createAccessTokenSigner({
      keys: config.ACCESS_TOKEN_KEYS,
      ttlSeconds: config.ACCESS_TOKEN_TTL_SECONDS,
      clock,
    });
    return {
      module: IdentityModule,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions(config),
          name: DATA_SOURCE,
          retryAttempts: 5,
          retryDelay: 1_000,
        }),
      ],
      controllers: [AccountGrpc, SessionGrpc, ProfileGrpc, DirectoryGrpc],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: CLOCK, useValue: clock },
        { provide: ACCESS_TOKEN_SIGNER, useValue: signer },
        { provide: CURSOR_SEALER, useValue: createCursorSealer({ secrets: config.CURSOR_SECRETS }) },
        ...[UserRepository, UsernameRepository, SessionRepository],
        ...[PasswordHasher, SignedInAccount, SessionIssuer],
        ...[SignUp, GetMe, UpdateMe, GetPasswordPolicy],
        ...[LogIn, RefreshSession, LogOut, ListSessions, EndSession, ListEndedSessions, PurgeSessions],
        ...[GetUser, GetUserByUsername, RepublishUsers],
        ...[CoachRepository, SpecialtyRepository, KnownBlocks, ListCoaches, ListSpecialties],
        ApplySuspension,
      ],
    };
  }
}
