import type { Me } from '../../api/types.js';
import type { ProfileChoice } from './importing/import-run.js';
import type { OpenedArchive } from './importing/read-archive.js';
import type { SourceProfile } from './importing/read-document.js';

export type ProfilePart = 'name' | 'bio' | 'picture' | 'coach' | 'specialties';

interface Offer {
  part: ProfilePart;
  /** The account has nothing in its place. */
  isWanted: boolean;
}

/** Initials have an address of the API's. */
const hasPicture = ({ profileImage }: Me): boolean => profileImage.startsWith('/media/');

/**
 * What the account may take of the archive's profile (ACCT-46): what it has already is not offered. The username stays: it is
 * unique, and may be somebody else's here.
 */
export function offeredProfile(me: Me, { source, sizeOf }: OpenedArchive): Offer[] {
  const { name, bio, pictureId, specialties } = source.profile;
  const isOfCoach =
    source.profile.isCoach || source.posts.some(({ visibility }) => visibility === 'subscribers');
  const offers: (Offer & { isThere: boolean })[] = [
    { part: 'name', isThere: name !== '' && name !== me.name, isWanted: false },
    { part: 'bio', isThere: bio !== '' && bio !== me.bio, isWanted: me.bio === '' },
    {
      part: 'picture',
      isThere: pictureId !== undefined && sizeOf(pictureId) !== undefined,
      isWanted: !hasPicture(me),
    },
    { part: 'coach', isThere: isOfCoach && !me.isCoach, isWanted: false },
    {
      part: 'specialties',
      isThere: isOfCoach && specialties.length > 0 && specialties.join() !== me.specialties.join(),
      isWanted: me.specialties.length === 0,
    },
  ];
  return offers.filter(({ isThere }) => isThere).map(({ part, isWanted }) => ({ part, isWanted }));
}

/** Those of `offered` that can be taken, as far as `chosen`: specialties are a coach's. */
export const openOffers = (me: Me, offered: readonly Offer[], chosen: ReadonlySet<ProfilePart>): Offer[] =>
  offered.filter(({ part }) => part !== 'specialties' || me.isCoach || chosen.has('coach'));

export function toChoice(profile: SourceProfile, parts: ReadonlySet<ProfilePart>): ProfileChoice {
  return {
    ...(parts.has('name') && { name: profile.name }),
    ...(parts.has('bio') && { bio: profile.bio }),
    ...(parts.has('picture') && { pictureId: profile.pictureId }),
    ...(parts.has('coach') && { isCoach: true }),
    ...(parts.has('specialties') && { specialties: [...profile.specialties] }),
  };
}
