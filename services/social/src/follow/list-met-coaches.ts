import { Injectable } from '@nestjs/common';
import type { ListMetCoachesResponse } from '@pulso/contracts/social/v1/social';
import { requireCaller } from '@pulso/platform/context/request-context';
import { MetCoachesRepository } from '../store/met-coaches.repository.js';

/** The first part of `GET /api/coaches/suggested` (PEOPLE-16). */
@Injectable()
export class ListMetCoaches {
  constructor(private readonly metCoaches: MetCoachesRepository) {}

  async execute(): Promise<ListMetCoachesResponse> {
    const { userId: viewer } = requireCaller();
    return { userIds: await this.metCoaches.list(viewer) };
  }
}
