import { Injectable } from '@nestjs/common';
import { Clock } from '@pulso/platform/time/clock';
import { KnownFigures } from '../projections/known-figures.js';
import { NamedUsers } from '../user/named-users.js';

/** An account as moderators see it, in any state. Neither its address nor its sessions are theirs to see. */
export interface ModeratedUser {
  id: string;
  username: string;
  /** Names that it gave up and still holds. */
  formerUsernames: readonly string[];
  name: string;
  bio: string;
  isCoach: boolean;
  specialties: readonly string[];
  /** Path under Pulso's own address; null without a picture. */
  picture: string | null;
  status: 'active' | 'suspended' | 'deleted';
  emailVerified: boolean;
  joined: string;
  followers: number;
  reviews: number;
}

/** What moderators see of an account before they decide about it (PEOPLE-36). */
@Injectable()
export class ShowUser {
  constructor(
    private readonly users: NamedUsers,
    private readonly figures: KnownFigures,
    private readonly clock: Clock,
  ) {}

  /** By id, or by present or former username. Throws `not-found`. */
  async execute(named: string): Promise<ModeratedUser> {
    const user = await this.users.byName(named);
    const { followers, reviews } = await this.figures.of(user.id);
    const { username, name, bio, isCoach, specialties, profileImageId, status, emailVerified } = user;
    const held = user.formerUsernames.filter(({ until }) => until > this.clock.now());
    return {
      ...{ id: user.id, username, formerUsernames: held.map((former) => former.username), name, bio },
      ...{
        isCoach,
        specialties,
        status,
        picture: profileImageId === null ? null : `/media/${profileImageId}/avatar`,
      },
      ...{ emailVerified, joined: new Date(user.createdAt).toISOString() },
      ...{ followers, reviews },
    };
  }
}
