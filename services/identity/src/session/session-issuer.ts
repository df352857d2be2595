import { Injectable } from '@nestjs/common';
import type { Device, Session as SessionMessage } from '@pulso/contracts/identity/v1/identity';
import { AccessTokenSigner } from '@pulso/platform/auth/access-token';
import { newId } from '@pulso/platform/ids/uuid-v7';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { IdentitySettings } from '../settings.js';
import { SignInDevices } from '../store/sign-in-devices.js';
import type { Session } from '../store/session.entity.js';
import { SessionRepository } from '../store/session.repository.js';
import type { User } from '../store/user.entity.js';
import { toAccountMessage } from '../user/user-message.js';
import { hashRefreshToken, RefreshTokens } from './refresh-token.js';

const USER_AGENT_MAX = 512;
const ADDRESS_MAX = 64;
const DAY_MS = 24 * 60 * 60 * 1000;

/** A refresh token that has been stored and is about to be returned to the client. */
export interface IssuedToken {
  sessionId: string;
  refreshToken: string;
  refreshExpiresAt: number;
}

/** A session that somebody has just opened by signing in. */
export interface OpenedSession extends IssuedToken {
  /** Whether the user has not signed in on such a device within 90 days. */
  isNewDevice: boolean;
}

/** Opens sessions and issues their tokens. */
@Injectable()
export class SessionIssuer {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly devices: SignInDevices,
    private readonly signer: AccessTokenSigner,
    private readonly refreshTokens: RefreshTokens,
    private readonly settings: IdentitySettings,
    private readonly clock: Clock,
  ) {}

  /** Creates a session with the first token of its family, opened with a passkey or in another way. */
  async open(
    userId: string,
    device: Device | undefined,
    transaction: Transaction,
    { byPasskey = false } = {},
  ): Promise<OpenedSession> {
    const now = this.clock.now();
    const session: Session = {
      id: newId(),
      userId,
      userAgent: '',
      address: '',
      ...describeDevice(device),
      generation: 0,
      createdAt: now,
      passkeyAt: byPasskey ? now : null,
      lastUsedAt: now,
      expiresAt: this.expiry(now),
      endedAt: null,
      endReason: null,
    };
    const isNewDevice = await this.devices.note(userId, session.userAgent, transaction);
    await this.sessions.insert(session, transaction);
    return { ...(await this.issueToken(session, 1, transaction)), isNewDevice };
  }

  /** Issues another token for a session whose row is locked; the session is extended until that token expires. */
  async renew(
    session: Session,
    device: Device | undefined,
    generation: number,
    transaction: Transaction,
  ): Promise<IssuedToken> {
    const now = this.clock.now();
    Object.assign(session, describeDevice(device), { lastUsedAt: now, expiresAt: this.expiry(now) });
    await this.sessions.save(session, transaction);
    await this.sessions.forgetTokens(session, generation, now, transaction);
    return this.issueToken(session, generation, transaction);
  }

  /** Called after the commit: the answer to a sign-in or a refresh, with the stored token and an access token. */
  async signIn(
    user: User,
    { sessionId, refreshToken, refreshExpiresAt }: IssuedToken,
  ): Promise<SessionMessage> {
    const { token, expiresIn } = await this.signer.sign({ userId: user.id, sessionId });
    return { accessToken: token, expiresIn, refreshToken, refreshExpiresAt, account: toAccountMessage(user) };
  }

  private async issueToken(
    session: Session,
    generation: number,
    transaction: Transaction,
  ): Promise<IssuedToken> {
    const refreshToken = this.refreshTokens.issue(session.id);
    await this.sessions.insertToken(
      {
        hash: hashRefreshToken(refreshToken)!,
        sessionId: session.id,
        generation,
        issuedAt: session.lastUsedAt,
        expiresAt: session.expiresAt,
        supersededAt: null,
      },
      transaction,
    );
    return { sessionId: session.id, refreshToken, refreshExpiresAt: session.expiresAt };
  }

  private expiry(now: number): number {
    return now + this.settings.REFRESH_TOKEN_TTL_DAYS * DAY_MS;
  }
}

/** Stores what the client sent, without control characters and truncated: headers are untrusted text. */
export function describeDevice(device: Device | undefined): Partial<Pick<Session, 'userAgent' | 'address'>> {
  const userAgent = printable(device?.userAgent, USER_AGENT_MAX);
  const address = printable(device?.address, ADDRESS_MAX);
  return { ...(userAgent && { userAgent }), ...(address && { address }) };
}

const printable = (text = '', max: number) => text.replace(/\p{Cc}/gu, '').slice(0, max);
