import { PASSKEYS } from '@pulso/contracts/limits';
import { DomainError, permissionDenied } from '@pulso/platform/errors/domain-error';

export const emailInUse = () =>
  new DomainError('email-already-in-use', 'This email address is already in use.');

/** Also for reserved names: the user does not need to know the difference. */
export const usernameTaken = () => new DomainError('username-taken', 'This username is already taken.');

export const specialtiesAreCoachs = () => permissionDenied('Only coaches can have specialties.');

export const mailsStayOff = () =>
  permissionDenied('Verify your email address before you switch these emails on again.');

export const tooManyRenames = () =>
  new DomainError('too-many-renames', 'You can change your username 3 times in 30 days.');

export const tooManyFormerUsernames = () =>
  new DomainError(
    'too-many-former-usernames',
    'Your last 3 usernames are still kept for you. You can take one of them back, or change again later.',
  );

/** The same for an unknown address as for a wrong password. */
export const invalidCredential = () =>
  new DomainError('invalid-credential', 'Failed to log in. Please check your credentials.');

export const wrongPassword = () => new DomainError('wrong-password', 'The current password is wrong.');

export const passkeyRefused = () => new DomainError('unprocessable', 'This passkey cannot be used.');

export const passkeyTaken = () => new DomainError('conflict', 'This passkey belongs to an account already.');

export const tooManyPasskeys = () =>
  new DomainError('unprocessable', `An account can have ${PASSKEYS.max} passkeys.`);

export const invalidLink = () => new DomainError('invalid-action-code', 'This link is not valid.');

export const mediaNotAttachable = () =>
  new DomainError('media-not-attachable', 'This picture cannot be used.');
