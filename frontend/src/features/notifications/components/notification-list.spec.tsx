import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { aNotification } from '../../../../test/a-conversation.js';
import { fakeGateway } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import type { Notification } from '../../../api/types.js';
import { clearBadges, getBadges, setBadges } from '../../../server/live/badges.js';
import { emitLive } from '../../../server/live/live-events.js';
import { NotificationList } from './notification-list.js';

let gateway: FakeGateway;
const marked: unknown[] = [];
const keptAlive: boolean[] = [];
beforeEach(() => {
  marked.length = 0;
  keptAlive.length = 0;
  gateway = fakeGateway();
  gateway.on('POST /api/notifications/read', async (request) => {
    keptAlive.push(request.keepalive);
    marked.push(await request.json());
    return new Response(null, { status: 204 });
  });
});
afterEach(() => {
  cleanup();
  clearBadges();
});

function open(...items: Notification[]) {
  gateway.on('GET /api/notifications', () => ({ items, nextCursor: null }));
  render(<NotificationList onChosen={jest.fn()} />, { wrapper: aPageAround().wrapper });
}

// Rule: NOTIF-5
describe('the bell’s list', () => {
  it.each([
    ['post_like', 'Ana @ana liked your post', '/post/p1'],
    ['comment', 'Ana @ana commented on your post', '/post/p1'],
    ['comment_like', 'Ana @ana liked your comment', '/post/p1'],
    ['mention', 'Ana @ana mentioned you', '/post/p1'],
    ['follow', 'Ana @ana started following you', '/ana'],
    ['subscription', 'Ana @ana subscribed to you', '/ana'],
    ['review', 'Ana @ana reviewed you', '/ana'],
  ] as const)('says of %s “%s” and leads to %s', async (type, text, path) => {
    open(aNotification({ type, postId: path === '/post/p1' ? 'p1' : null }));
    const link = await screen.findByRole('link');
    expect(link.textContent).toContain(text);
    expect(link.getAttribute('href')).toBe(path);
  });

  it('leads to the comment, on the page of its post', async () => {
    open(aNotification({ type: 'comment', postId: 'p1', commentId: 'c1' }));
    expect((await screen.findByRole('link')).getAttribute('href')).toBe('/post/p1#comment-c1');
  });

  it('is empty', async () => {
    open();
    expect(await screen.findByText('No notifications')).toBeTruthy();
    expect(marked).toEqual([]);
  });
});

// Rule: NOTIF-4
it('marks up to the newest notification shown, and again when one arrives', async () => {
  setBadges({ notifications: 2, messages: 1 });
  open(aNotification({ id: 'n2' }), aNotification());
  await waitFor(() => expect(marked).toEqual([{ upTo: 'n2' }]));
  expect(keptAlive).toEqual([true]);
  expect(getBadges()).toEqual({ notifications: 0, messages: 1 });
  act(() => emitLive({ type: 'notification', data: aNotification({ id: 'n3', type: 'follow' }) }));
  await waitFor(() => expect(marked).toEqual([{ upTo: 'n2' }, { upTo: 'n3' }]));
});
