import { Injectable } from '@nestjs/common';
import { CoachOrder, type User } from '@pulso/contracts/identity/v1/identity';
import { requireCaller } from '@pulso/platform/context/request-context';
import { IdentityClient, SocialClient } from '../clients.js';
import { ComposeProfile } from '../profiles/compose-profile.js';
import type { Profile } from '../profiles/profile.dto.js';

const MAX_SUGGESTIONS = 10;
const SEARCHED_PAGE_SIZE = 50;
/** A viewer who follows the best 200 coaches is suggested none of the others. */
const MAX_SEARCHED_PAGES = 4;

/**
 * Coaches to follow (PEOPLE-16): those whom people that the viewer follows follow, then the directory by merit. Social knows
 * the first, identity has the second in its order; neither of them asks the other.
 */
@Injectable()
export class SuggestCoaches {
  constructor(
    private readonly identity: IdentityClient,
    private readonly social: SocialClient,
    private readonly profiles: ComposeProfile,
  ) {}

  /** At most 10 profiles. Rejects where a service cannot tell whom the viewer follows. */
  async execute(): Promise<Profile[]> {
    const { userIds } = await this.social.listMetCoaches({});
    const chosen = await this.coachesAmong(userIds);
    let cursor = '';
    for (let page = 0; page < MAX_SEARCHED_PAGES && chosen.length < MAX_SUGGESTIONS; page += 1) {
      const order = CoachOrder.COACH_ORDER_MERIT;
      const listed = await this.identity.listCoaches({
        q: '',
        specialty: '',
        order,
        limit: SEARCHED_PAGE_SIZE,
        cursor,
      });
      const known = new Set(chosen.map(({ id }) => id));
      chosen.push(...(await this.notFollowed(listed.items.filter(({ id }) => !known.has(id)))));
      cursor = listed.nextCursor;
      if (cursor === '') break;
    }
    return this.profiles.list(chosen.slice(0, MAX_SUGGESTIONS));
  }

  /** In the same order; without those who are no coaches any more, or are hidden from the viewer, which social has not heard of yet. */
  private async coachesAmong(ids: string[]): Promise<User[]> {
    if (ids.length === 0) return [];
    const { users } = await this.identity.getUsers({ ids });
    const coaches = new Map(users.filter(({ isCoach }) => isCoach).map((user) => [user.id, user]));
    return ids.flatMap((id) => coaches.get(id) ?? []);
  }

  /** Those whom the caller does not follow; without the caller. */
  private async notFollowed(coaches: readonly User[]): Promise<User[]> {
    const { userId: viewer } = requireCaller();
    const { relations } = await this.social.getRelations({ userIds: coaches.map(({ id }) => id) });
    return coaches.filter(({ id }, index) => id !== viewer && !relations[index]!.following);
  }
}
