import type { ServiceCommand } from '@pulso/platform/service/service-commands';
import { type ModeratedUser, ShowUser } from './show-user.js';

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
