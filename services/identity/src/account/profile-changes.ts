import type { UpdateMeRequest } from '@pulso/contracts/identity/v1/identity';
import { permissionDenied } from '@pulso/platform/errors/domain-error';
import { WISH_FIELDS } from '../store/optional-emails.js';
import type { PriceChange } from '../store/price.js';
import type { User } from '../store/user.entity.js';
import { RequestFields } from '../user/request-fields.js';
import { mailsStayOff, specialtiesAreCoachs } from '../user/user-errors.js';

/** The changes that a request asks for; an absent field keeps its value (HTTP-9, PEOPLE-4). */
export type ProfileChanges = Partial<
  Pick<
    User,
    | 'name'
    | 'username'
    | 'email'
    | 'bio'
    | 'isCoach'
    | 'specialties'
    | 'profileImageId'
    | 'language'
    | 'wantsSubscriptionMails'
    | 'wantsSecurityMails'
  >
> & { price: PriceChange };

/** Reads and validates the request; throws `validation-failed`. */
export function readChanges(request: UpdateMeRequest): ProfileChanges {
  const fields = new RequestFields();
  const { name, username, email, bio, specialties, subscriptionCurrency, profileImageId, language } = request;
  const price = request.subscriptionPriceMinor;
  const changes: ProfileChanges = {
    name: name === undefined ? undefined : fields.name(name),
    username: username === undefined ? undefined : fields.username(username),
    email: email === undefined ? undefined : fields.email(email),
    bio: bio === undefined ? undefined : fields.bio(bio),
    isCoach: request.isCoach,
    specialties: specialties && fields.specialties(specialties.values),
    price: {
      minor: price && (fields.price(price.value) ?? null),
      currency: subscriptionCurrency === undefined ? undefined : fields.currency(subscriptionCurrency),
    },
    profileImageId: profileImageId === undefined ? undefined : profileImageId || null,
    language: language === undefined ? undefined : fields.language(language),
    wantsSubscriptionMails: request.emails?.subscriptions,
    wantsSecurityMails: request.emails?.security,
  };
  fields.check();
  return changes;
}

/**
 * Only a coach can have a price, a currency and specialties; the coach flag of the same request decides (SUBS-4,
 * PEOPLE-12).
 */
export function checkCoachsFields(user: Pick<User, 'isCoach'>, changes: ProfileChanges): void {
  const { price, specialties = [], isCoach } = changes;
  if (isCoach ?? user.isCoach) return;
  if (typeof price.minor === 'number' || price.currency !== undefined) {
    throw permissionDenied('Only coaches can set a subscription price.');
  }
  if (specialties.length > 0) throw specialtiesAreCoachs();
}

/**
 * While the address is not verified, mails that were switched off stay so: somebody else may get them, who has used the link in
 * one (MAIL-6). Throws `permission-denied`.
 */
export function checkMailsSwitchedOn(user: User, changes: ProfileChanges): void {
  if (user.emailVerified) return;
  for (const wants of Object.values(WISH_FIELDS)) if (changes[wants] && !user[wants]) throw mailsStayOff();
}

/**
 * The user with the changes to published fields, or undefined when there are none. The e-mail address is not one of
 * them: a new address takes effect after verification. Nor is the price, which billing publishes. Price, currency and
 * specialties are kept when the coach flag is removed.
 */
export function withChanges(user: User, changes: ProfileChanges): User | undefined {
  const { email: _email, price: _price, ...published } = changes;
  const given = Object.fromEntries(Object.entries(published).filter(([, value]) => value !== undefined));
  const changed: User = { ...user, ...given };
  return JSON.stringify(changed) === JSON.stringify(user) ? undefined : changed;
}
