import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@testing-library/dom';
import { aSession } from '../../../../test/a-post.js';
import { aVideoFile } from '../../../../test/a-video.js';
import { fakeGateway } from '../../../../test/fake-gateway.js';
import { fakeUploads } from '../../../../test/fake-uploads.js';
import type { FakeUploads } from '../../../../test/fake-uploads.js';
import { session } from '../../../server/session/session.js';
import { may } from './upload-states.js';
import type { UploadState } from './upload-states.js';
import { VideoUpload } from './video-upload.js';

const STATES: UploadState[] = ['running', 'pausing', 'paused', 'canceling', 'canceled', 'success', 'error'];

// Rule: MEDIA-10
it('each act is possible in its states alone', () => {
  const from = (act: Parameters<typeof may>[0]) => STATES.filter((state) => may(act, state));
  expect(from('pause')).toEqual(['running']);
  expect(from('resume')).toEqual(['pausing', 'paused']);
  expect(from('cancel')).toEqual(['running', 'pausing']);
});

let server: FakeUploads;
beforeEach(() => {
  server = fakeUploads();
  fakeGateway();
  session.signIn(aSession('token'));
});
afterEach(() => {
  server.restore();
  session.forceSignOut();
});

/** An upload of which nothing but the first chunk gets through, and the states that it goes through from now on. */
async function underWay() {
  server.intercept(({ method }, n) => (method === 'PATCH' && n >= 3 ? 'never' : undefined));
  const upload = new VideoUpload(aVideoFile(1024 * 1024));
  await waitFor(() => expect(server.requests).toHaveLength(3));
  const states: UploadState[] = [];
  upload.subscribe(() => {
    const { state } = upload.getView();
    if (states.at(-1) !== state) states.push(state);
  });
  return { upload, states };
}
const state = (upload: VideoUpload) => upload.getView().state;

// Rule: MEDIA-10
describe('an upload', () => {
  it('is paused, and goes on where it was', async () => {
    const { upload, states } = await underWay();
    upload.pause();
    await waitFor(() => expect(state(upload)).toBe('paused'));
    server.intercept(() => undefined);
    expect(server.requests).toHaveLength(3);
    upload.resume();
    await waitFor(() => expect(state(upload)).toBe('success'));
    expect(states).toEqual(['pausing', 'paused', 'running', 'success']);
    expect(upload.percent).toBe(100);
    expect(server.requests.slice(3).map(({ method }) => method)).toEqual(['HEAD', 'PATCH', 'PATCH']);
    expect(upload.getView()).toMatchObject({ id: 'v1' });
  });

  it('goes on at once when it is resumed while it pauses', async () => {
    const { upload, states } = await underWay();
    server.intercept(() => undefined);
    upload.pause();
    upload.resume();
    await waitFor(() => expect(state(upload)).toBe('success'));
    expect(states).toEqual(['pausing', 'running', 'success']);
  });

  it('is cancelled, and deleted on the server', async () => {
    const { upload, states } = await underWay();
    await upload.cancel();
    expect(states).toEqual(['canceling', 'canceled']);
    expect(server.requests.at(-1)).toMatchObject({ method: 'DELETE', path: '/api/uploads/v1' });
    upload.resume();
    expect(state(upload)).toBe('canceled');
  });

  it('that is refused is in error, and may be tried again', async () => {
    server.intercept(() => ({ status: 422 }));
    const upload = new VideoUpload(aVideoFile(1000));
    await waitFor(() => expect(state(upload)).toBe('error'));
    upload.pause();
    expect(upload.getView()).toMatchObject({ state: 'error', failure: { status: 422 } });
    server.intercept(() => undefined);
    upload.resume();
    await waitFor(() => expect(state(upload)).toBe('success'));
  });

  it('tells its per cent rounded down', async () => {
    const { upload } = await underWay();
    await waitFor(() => expect(upload.getView().sent).toBe((256 + 512 / 2) * 1024));
    expect(upload.percent).toBe(50);
    upload.end();
  });
});
