import { describe, expect, it } from '@jest/globals';
import { ApiError, NetworkError, SessionOverError } from '../../../server/http/api-error.js';
import { RetryLimitError } from '../../../server/videos/retry-upload.js';
import { videoTexts } from './texts.js';
import { UploadCanceled } from './uploads.js';
import { videoFailure } from './video-failure.js';

const said = (error: unknown) => videoFailure(error, 'run.mp4', videoTexts);
const refused = (status: number, code = `http-${status}`) => new ApiError(status, code, undefined);
const givenUp = new RetryLimitError('given up', { cause: new NetworkError('no answer') });

// Rule: MEDIA-12
describe('an upload that failed', () => {
  it.each([
    [new UploadCanceled(), 'User canceled the upload/download.'],
    [givenUp, 'Max retry time for operation exceeded, please try again.'],
    [refused(413, 'quota-exceeded'), 'Storage quota exceeded'],
    [refused(413, 'file-too-large'), 'File too large. Maximum size: 50MB'],
    [refused(422, 'unsupported-media'), 'Invalid file type. Allowed: .mp4, .webm, .ogg'],
    [refused(422, 'idempotency-key-reused'), 'Storage upload failed'],
    [refused(404), "Object 'run.mp4' does not exist."],
    [refused(403, 'permission-denied'), "User does not have permission to access 'run.mp4'."],
    [refused(400, 'validation-failed'), 'Storage upload failed'],
    [new SessionOverError('session over'), undefined],
  ])('with %p says %p', (error, text) => expect(said(error)).toBe(text));

  // Rule: UI-53
  it('without the network says so', () => {
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: false });
    expect(said(givenUp)).toBe('You seem to be offline. Please check your connection and try again.');
    Reflect.deleteProperty(navigator, 'onLine');
  });
});
