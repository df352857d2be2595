import { VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { DomainError, notFound } from '@pulso/platform/errors/domain-error';
import type { AssetKind } from './asset.js';

export const assetNotFound = () => notFound('Media not found');

export const assetAttached = (kind: AssetKind) =>
  new DomainError('media-attached', `This ${kind} is in use.`);

export const notAttachable = () =>
  new DomainError('media-not-attachable', 'This image or video cannot be attached.');

export const quotaExceeded = () => new DomainError('quota-exceeded', VALIDATION_MESSAGES.quotaExceeded);

export const fileTooLarge = () => new DomainError('file-too-large', VALIDATION_MESSAGES.imageTooLarge);

export const videoTooLarge = () => new DomainError('file-too-large', VALIDATION_MESSAGES.videoTooLarge);

/** Another kind, broken, or other content than declared (MEDIA-16). */
export const unsupportedImage = () => new DomainError('unsupported-media', VALIDATION_MESSAGES.imageKind);

/** No video by its declared type, or nothing at all (MEDIA-9, MEDIA-16). What it holds is the worker's to judge. */
export const unsupportedVideo = () => new DomainError('unsupported-media', VALIDATION_MESSAGES.videoKind);
