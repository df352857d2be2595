import { VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { DomainError, validationFailed } from '@pulso/platform/errors/domain-error';

/** Media that its ticket does not grant to the caller for this post (MEDIA-17). */
export const mediaNotAttachable = () =>
  new DomainError('media-not-attachable', 'This image or video cannot be attached.');

/** An edit that leaves neither text nor media (POST-4, POST-5). */
export const emptyEdit = () =>
  validationFailed([{ path: 'content', code: 'required', message: VALIDATION_MESSAGES.emptyEdit }]);
