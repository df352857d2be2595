import { DomainError } from '@pulso/platform/errors/domain-error';

/** Media unknown, not the caller's, attached already or of another purpose; all of it while there is no media service. */
export const mediaNotAttachable = () =>
  new DomainError('media-not-attachable', 'This image or video cannot be attached.');
