import { Injectable } from '@nestjs/common';
import type { GetStandingsResponse } from '@pulso/contracts/billing/v1/billing';
import { viewerId } from '@pulso/platform/context/request-context';
import { validationFailed } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { StandingRepository } from '../store/coach-figures.repository.js';

const MOST_USERS = 100;

/** A profile's subscriber count and whether the viewer subscribes; public. The gateway decides which users are shown. */
@Injectable()
export class GetStandings {
  constructor(private readonly standings: StandingRepository) {}

  async execute(userIds: readonly string[]): Promise<GetStandingsResponse> {
    if (userIds.length > MOST_USERS) {
      const message = `Must have at most ${MOST_USERS} entries`;
      throw validationFailed([{ path: 'userIds', code: 'too-many', message }]);
    }
    const rows = await this.standings.among(viewerId(), userIds.filter(isId));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return {
      standings: userIds.map((userId) => {
        const { live = 0, subscribed = false } = byId.get(userId) ?? {};
        return { userId, subscriberCount: live, subscribed };
      }),
    };
  }
}
