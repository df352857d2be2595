import { Injectable } from '@nestjs/common';
import type { UserStatusName } from '@pulso/contracts/user-status';
import { DataSource } from 'typeorm';

/** An account and what it and others have done, counted from the rows. */
export interface AccountCounts {
  id: string;
  username: string;
  status: UserStatusName;
  followers: number;
  following: number;
  reviews: number;
  /** Reports about the account itself, open and resolved ones. */
  reported: number;
  /** Reports that the account has made: all, those that are open, and those that were dismissed. */
  made: { all: number; open: number; dismissed: number };
}

@Injectable()
export class AccountCountsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns undefined for an unknown user. */
  async find(id: string): Promise<AccountCounts | undefined> {
    const counted = 'SELECT count(*)::integer FROM';
    const [row] = await this.dataSource.query<AccountCounts[]>(
      `SELECT u.id, u.username, u.status,
         (${counted} follows WHERE target_id = u.id AND deleted_at IS NULL) AS followers,
         (${counted} follows WHERE follower_id = u.id AND deleted_at IS NULL) AS following,
         (${counted} reviews WHERE coach_id = u.id AND deleted_at IS NULL) AS reviews,
         (${counted} reports WHERE subject_type = 'user' AND subject_id = u.id) AS reported,
         (SELECT json_build_object('all', count(*), 'open', count(*) FILTER (WHERE resolved_at IS NULL),
            'dismissed', count(*) FILTER (WHERE resolution = 'dismissed')) FROM reports WHERE reporter_id = u.id) AS made
       FROM known_users u WHERE u.id = $1`,
      [id],
    );
    return row;
  }
}
