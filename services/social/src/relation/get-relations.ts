import { Injectable } from '@nestjs/common';
import type { GetRelationsRequest, GetRelationsResponse } from '@pulso/contracts/social/v1/social';
import { viewerId } from '@pulso/platform/context/request-context';
import { readUserIds } from '@pulso/platform/validation/read-user-ids';
import { ratingSummary } from '../store/rating-summary.js';
import { RelationRepository, type RelationRow } from '../store/relation.repository.js';

/** A profile's counts and the viewer's relation to each user; public. The gateway decides which users are shown. */
@Injectable()
export class GetRelations {
  constructor(private readonly relations: RelationRepository) {}

  async execute({ userIds }: GetRelationsRequest): Promise<GetRelationsResponse> {
    const byId = await this.relations.among(viewerId(), readUserIds('userIds', userIds));
    return { relations: userIds.map((id) => toRelation(id, byId.get(id) ?? NO_RELATION)) };
  }
}

const NO_RELATION: Omit<RelationRow, 'id'> = {
  following: false,
  followsYou: false,
  blocked: false,
  blockedBy: false,
  reviewed: false,
  followerCount: 0,
  followingCount: 0,
  ratingSum: 0,
  reviewCount: 0,
};

function toRelation(userId: string, row: Omit<RelationRow, 'id'>) {
  const { following, followsYou, blocked, blockedBy, reviewed, followerCount, followingCount } = row;
  const rating = ratingSummary(row);
  return {
    userId,
    following,
    followsYou,
    blocked,
    blockedBy,
    reviewed,
    followerCount,
    followingCount,
    rating,
  };
}
