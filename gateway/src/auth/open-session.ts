import { Injectable } from '@nestjs/common';
import type { Session } from '@pulso/contracts/identity/v1/identity';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toMeWithoutFigures } from '../profiles/compose-profile.js';
import type { Me } from '../profiles/profile.dto.js';
import { required } from '../user-ref/to-user-ref.js';
import type { SessionAnswer } from './auth.dto.js';
import { RefreshCookie } from './refresh-cookie.js';

/** What every call that opens or renews a session answers with. */
@Injectable()
export class OpenSession {
  constructor(private readonly cookie: RefreshCookie) {}

  /** Waits for identity alone, unless a caller knows the user's figures (HTTP-37). */
  answer(
    session: Session,
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
    user: Me = toMeWithoutFigures(required(session.account, 'account')),
  ): SessionAnswer {
    const { accessToken, expiresIn, refreshToken, refreshExpiresAt } = session;
    this.cookie.set(reply, refreshToken, refreshExpiresAt);
    // The answer's Pulso-After is for the user who has just signed in.
    if (request.pulso) request.pulso.viewerId = user.id;
    return { accessToken, expiresIn, user };
  }
}
