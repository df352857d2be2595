import { DomainError } from '@pulso/platform/errors/domain-error';

export const emailInUse = () =>
  new DomainError('email-already-in-use', 'This email address is already in use.');

/** Also for reserved names: the user does not need to know the difference. */
export const usernameTaken = () => new DomainError('username-taken', 'This username is already taken.');

/** The same for an unknown address as for a wrong password. */
export const invalidCredential = () =>
  new DomainError('invalid-credential', 'Failed to log in. Please check your credentials.');

export const wrongPassword = () => new DomainError('wrong-password', 'The current password is wrong.');

export const mediaNotAttachable = () =>
  new DomainError('media-not-attachable', 'This picture cannot be used.');
