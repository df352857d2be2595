import { VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { DomainError, notFound } from '@pulso/platform/errors/domain-error';

export const imageNotFound = () => notFound('Image not found');

export const imageAttached = () => new DomainError('media-attached', 'This image is in use.');

export const notAttachable = () =>
  new DomainError('media-not-attachable', 'This image or video cannot be attached.');

export const quotaExceeded = () => new DomainError('quota-exceeded', VALIDATION_MESSAGES.quotaExceeded);

export const fileTooLarge = () => new DomainError('file-too-large', VALIDATION_MESSAGES.imageTooLarge);

/** Another kind, broken, or other content than declared (MEDIA-16). */
export const unsupportedImage = () => new DomainError('unsupported-media', VALIDATION_MESSAGES.imageKind);
