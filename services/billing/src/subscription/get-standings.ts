import { Injectable } from '@nestjs/common';
import type { GetStandingsRequest, GetStandingsResponse } from '@pulso/contracts/billing/v1/billing';
import { viewerId } from '@pulso/platform/context/request-context';
import { readUserIds } from '@pulso/platform/validation/read-user-ids';
import { CoachFiguresRepository } from '../store/coach-figures.repository.js';
import { toOwnMessage } from './subscription-message.js';

/** A profile's subscriber count and whether the viewer subscribes; public. The gateway decides which users are shown. */
@Injectable()
export class GetStandings {
  constructor(private readonly figures: CoachFiguresRepository) {}

  async execute({ userIds }: GetStandingsRequest): Promise<GetStandingsResponse> {
    const byId = await this.figures.among(viewerId(), readUserIds('userIds', userIds));
    return {
      standings: userIds.map((userId) => {
        const { live = 0, own } = byId.get(userId) ?? {};
        const told = own ? toOwnMessage(own) : undefined;
        return { userId, subscriberCount: live, subscribed: told !== undefined, own: told };
      }),
    };
  }
}
