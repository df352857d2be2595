import { VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { DomainError, validationFailed } from '@pulso/platform/errors/domain-error';

/** Media that its ticket does not grant to the caller for this post (MEDIA-17), and every video as yet (MEDIA-18). */
export const mediaNotAttachable = () =>
  new DomainError('media-not-attachable', 'This image or video cannot be attached.');

/** An edit that leaves neither text nor image (POST-4). */
export const emptyEdit = () =>
  validationFailed([{ path: 'content', code: 'required', message: VALIDATION_MESSAGES.emptyEdit }]);
