import { Injectable } from '@nestjs/common';
import { notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import type { ServiceCommand } from '@pulso/platform/service/service-commands';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';
import { UserRepository } from '../store/user.repository.js';
import { UsernameRepository } from '../store/username.repository.js';

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
    private readonly dataSource: DataSource,
    private readonly users: UserRepository,
    private readonly usernames: UsernameRepository,
    private readonly clock: Clock,
  ) {}

  /** By id, or by present or former username. Throws `not-found`. */
  async execute(named: string): Promise<ModeratedUser> {
    const id = isId(named) ? named : await this.usernames.ownerOf(named.replace(/^@/, '').toLowerCase());
    const user = id === undefined ? null : await this.users.findById(id);
    if (!user) throw notFound(`No account is called ${named}.`);
    const [figures] = await this.dataSource.query<{ followers: number; reviews: number }[]>(
      `SELECT follower_count AS followers, review_count AS reviews FROM known_figures WHERE user_id = $1`,
      [user.id],
    );
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
      ...(figures ?? { followers: 0, reviews: 0 }),
    };
  }
}

export const moderationCommands: Readonly<Record<string, ServiceCommand>> = {
  'show-user': {
    operands: ['<username or id>'],
    options: { json: { type: 'boolean' } },
    summary: 'shows an account to a moderator: its profile and its standing',
    prepare({ operands: [named = ''], options: { json } }) {
      return async (service) => {
        const user = await service.get(ShowUser).execute(named);
        return json ? [JSON.stringify(user)] : linesOf(user);
      };
    },
  },
};

/** Texts are untrusted: quoted, so that they stay on their lines. */
function linesOf(user: ModeratedUser): string[] {
  const { id, username, formerUsernames, name, bio, isCoach, specialties, picture, status } = user;
  return [
    `user ${id}  @${username}  ${isCoach ? 'coach' : 'member'}  ${status}`,
    ...(formerUsernames.length === 0
      ? []
      : [`  before: ${formerUsernames.map((one) => `@${one}`).join(', ')}`]),
    `  name ${JSON.stringify(name)}`,
    ...(bio === '' ? [] : [`  bio ${JSON.stringify(bio)}`]),
    ...(specialties.length === 0 ? [] : [`  specialties ${JSON.stringify(specialties)}`]),
    `  picture ${picture ?? 'none'}`,
    `  joined ${user.joined}, e-mail address ${user.emailVerified ? 'verified' : 'not verified'}`,
    `  ${user.followers} followers, ${user.reviews} reviews`,
  ];
}
