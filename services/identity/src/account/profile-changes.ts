import type { UpdateMeRequest } from '@pulso/contracts/identity/v1/identity';
import { permissionDenied } from '@pulso/platform/errors/domain-error';
import { RequestFields } from '../user/request-fields.js';
import { DEFAULT_CURRENCY } from '../user/user-state.js';
import type { User } from '../user/user.entity.js';

/** The changes that a request asks for; an absent field keeps its value. */
export type ProfileChanges = Partial<
  Pick<
    User,
    | 'name'
    | 'username'
    | 'email'
    | 'bio'
    | 'isCoach'
    | 'specialties'
    | 'subscriptionPriceMinor'
    | 'subscriptionCurrency'
    | 'profileImageId'
  >
>;

/** Reads and validates the request; throws `validation-failed`. */
export function readChanges(request: UpdateMeRequest): ProfileChanges {
  const fields = new RequestFields();
  const { name, username, email, bio, specialties, subscriptionCurrency, profileImageId } = request;
  const price = request.subscriptionPriceMinor;
  const changes: ProfileChanges = {
    name: name === undefined ? undefined : fields.name(name),
    username: username === undefined ? undefined : fields.username(username),
    email: email === undefined ? undefined : fields.email(email),
    bio: bio === undefined ? undefined : fields.bio(bio),
    isCoach: request.isCoach,
    specialties: specialties && fields.specialties(specialties.values),
    subscriptionPriceMinor: price && (fields.price(price.value) ?? null),
    subscriptionCurrency:
      subscriptionCurrency === undefined ? undefined : fields.currency(subscriptionCurrency),
    profileImageId: profileImageId === undefined ? undefined : profileImageId || null,
  };
  fields.check();
  return changes;
}

/** Only a coach can have a price and a currency; the coach flag of the same request decides (SUBS-4). */
export function checkPriceIsCoachs(user: User, changes: ProfileChanges): void {
  const given =
    typeof changes.subscriptionPriceMinor === 'number' || changes.subscriptionCurrency !== undefined;
  if (given && !(changes.isCoach ?? user.isCoach)) {
    throw permissionDenied('Only coaches can set a subscription price.');
  }
}

/**
 * The user with the changes to public fields, or undefined when there are none. The e-mail address is not one of
 * them: a new address takes effect after verification. Price and currency are kept when the coach flag is removed.
 */
export function withChanges(user: User, changes: ProfileChanges): User | undefined {
  const { email: _email, ...visible } = changes;
  const given = Object.fromEntries(Object.entries(visible).filter(([, value]) => value !== undefined));
  const changed: User = { ...user, ...given };
  if (changed.subscriptionPriceMinor !== null) changed.subscriptionCurrency ??= DEFAULT_CURRENCY;
  return JSON.stringify(changed) === JSON.stringify(user) ? undefined : changed;
}
