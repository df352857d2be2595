import { Injectable } from '@nestjs/common';
import type { GetStandingsRequest, GetStandingsResponse } from '@pulso/contracts/billing/v1/billing';
import { viewerId } from '@pulso/platform/context/request-context';
import { validationFailed } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { CoachFiguresRepository } from '../store/coach-figures.repository.js';

const MAX_USERS = 100;

/** A profile's subscriber count and whether the viewer subscribes; public. The gateway decides which users are shown. */
@Injectable()
export class GetStandings {
  constructor(private readonly figures: CoachFiguresRepository) {}

  async execute({ userIds }: GetStandingsRequest): Promise<GetStandingsResponse> {
    if (userIds.length > MAX_USERS) {
      const message = `Must have at most ${MAX_USERS} entries`;
      throw validationFailed([{ path: 'userIds', code: 'too-many', message }]);
    }
    const rows = await this.figures.among(viewerId(), userIds.filter(isId));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return {
      standings: userIds.map((userId) => {
        const { live = 0, subscribed = false } = byId.get(userId) ?? {};
        return { userId, subscriberCount: live, subscribed };
      }),
    };
  }
}
