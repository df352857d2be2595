import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, render, renderHook, waitFor } from '@testing-library/react';
import { aPost } from '../../../test/a-post.js';
import { fakeGateway, problem } from '../../../test/fake-gateway.js';
import { aPageAround } from '../../../test/render.js';
import { clearFeedback, getFeedback, notify, toast } from '../../components/feedback/feedback-store.js';
import { usePost } from '../../features/posts/api/get-post.js';
import { texts } from '../../i18n/texts.js';
import { queryClient } from '../../server/queries/query-client.js';
import { ConnectionNotice } from './connection-notice.js';

const network = (is: 'offline' | 'online') => act(() => void window.dispatchEvent(new Event(is)));
afterEach(() => {
  cleanup();
  clearFeedback();
});

// Rule: UI-53
it('a notice says when the network goes and when it is back, and takes the place of the one before', () => {
  render(<ConnectionNotice />, { wrapper: aPageAround().wrapper });
  const told = () => getFeedback().toasts.map(({ message }) => message);
  network('offline');
  expect(told()).toEqual(['You are offline. What you write stays here.']);
  network('online');
  expect(told()).toEqual(['You are back online.']);
  network('offline');
  expect(told()).toEqual(['You are offline. What you write stays here.']);
});

// Rule: UI-53
it('there is one message when an act has failed for that reason, whichever comes first', () => {
  render(<ConnectionNotice />, { wrapper: aPageAround().wrapper });
  const fail = () => act(() => notify({ type: 'error', message: texts.en.app.offline }));
  const told = () => [...getFeedback().dialogs, ...getFeedback().toasts].map(({ message }) => message);
  network('offline');
  fail();
  expect(told()).toEqual([texts.en.app.offline]);
  act(clearFeedback);
  fail();
  network('offline');
  expect(told()).toEqual([texts.en.app.offline]);
});

// Rule: UI-53
it('the notice of an act that failed goes when the network is back', () => {
  render(<ConnectionNotice />, { wrapper: aPageAround().wrapper });
  act(() => void toast({ type: 'error', message: texts.en.app.offline }));
  network('online');
  expect(getFeedback().toasts.map(({ message }) => message)).toEqual(['You are back online.']);
});

// Rule: UI-53
it('what did not load loads when the network is back, and nothing else is read again', async () => {
  const gateway = fakeGateway();
  gateway.on('GET /api/posts/a', () => problem(404, 'not-found'));
  gateway.on('GET /api/posts/b', () => aPost({ id: 'b' }));
  const { result } = renderHook(() => [usePost('a'), usePost('b')], {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  });
  await waitFor(() => expect(result.current.map(({ status }) => status)).toEqual(['error', 'success']));
  gateway.on('GET /api/posts/a', () => aPost({ id: 'a' }));
  network('offline');
  network('online');
  await waitFor(() => expect(result.current[0]?.status).toBe('success'));
  expect(gateway.calls.filter((call) => call.endsWith('/b'))).toHaveLength(1);
});
