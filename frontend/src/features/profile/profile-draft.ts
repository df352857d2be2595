import type { Me, Profile } from '../../api/types.js';
import { keepDraft, useKeptDraft } from '../../drafts/drafts.js';

export type Currency = NonNullable<Profile['subscriptionCurrency']>;

/** What is proposed to who becomes a coach in this form and has no price (SUBS-6). */
export const PROPOSED = { price: 400, currency: 'MXN' } as const;

export interface ProfileForm {
  /** The id of an uploaded picture; null takes the present one away, undefined leaves it. */
  profileImageId: string | null | undefined;
  name: string;
  username: string;
  bio: string;
  isCoach: boolean;
  specialties: string[];
  /** Typed, but not added yet. */
  specialty: string;
  /** As typed: empty for no price. */
  subscriptionPrice: string;
  subscriptionCurrency: Currency;
  /** What was typed as the price before the other currency was chosen: it comes back with its own. */
  otherPrice: string;
}

/** The fields that were changed and not saved: the others follow the profile. */
export type ProfileDraft = Partial<ProfileForm>;

const DRAFT_KEY = 'profile';

export const toForm = ({
  name,
  username,
  bio,
  isCoach,
  specialties,
  subscriptionPrice,
  subscriptionCurrency,
}: Me): ProfileForm => ({
  profileImageId: undefined,
  name,
  username: username ?? '',
  bio,
  isCoach,
  specialties,
  specialty: '',
  // A coach without a price has chosen none, and saving something else must not set one.
  subscriptionPrice: String(subscriptionPrice ?? (isCoach ? '' : PROPOSED.price)),
  subscriptionCurrency: subscriptionCurrency ?? PROPOSED.currency,
  otherPrice: '',
});

/** What `form` changes of `me`; undefined if nothing. */
export function changedFields(me: Me, form: ProfileForm): ProfileDraft | undefined {
  const before = toForm(me);
  const fields = Object.keys(before) as (keyof ProfileForm)[];
  const changed = fields.filter((field) => JSON.stringify(form[field]) !== JSON.stringify(before[field]));
  return changed.length === 0 ? undefined : Object.fromEntries(changed.map((field) => [field, form[field]]));
}

export const useProfileDraft = (userId: string): ProfileDraft | undefined => useKeptDraft(userId, DRAFT_KEY);

export const keepProfileDraft = (userId: string, draft: ProfileDraft | undefined): void =>
  keepDraft(userId, DRAFT_KEY, draft);
