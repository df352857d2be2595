import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aConversation, aMessage } from '../../../../test/a-conversation.js';
import { aMe, aSession } from '../../../../test/a-post.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import type { Conversation } from '../../../api/types.js';
import { clearBadges, getBadges, setBadges } from '../../../server/live/badges.js';
import { emitLive } from '../../../server/live/live-events.js';
import { session } from '../../../server/session/session.js';
import { MessagesScreen } from './messages-screen.js';

const ben = aMe({ id: 'ben' });
const THREAD = 'GET /api/conversations/ana_ben/messages';

/** A message of each user, and one of Pulso. */
const OF_ALL_THREE = {
  items: [
    aMessage({ read: true }),
    aMessage({ id: 'm2', type: 'system', content: 'It began.', read: true }),
    aMessage({ id: 'm3', senderId: 'ben', receiverId: 'ana', content: 'Fine.' }),
  ],
  nextCursor: null,
};

const reported: string[] = [];
const onReport = (id: string) => void reported.push(id);

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
  gateway.on('POST /api/auth/logout', () => new Response(null, { status: 204 }));
  gateway.on('POST /api/conversations/ana_ben/read', () => new Response(null, { status: 204 }));
  listing(aConversation());
  gateway.on(THREAD, () => ({ items: [], nextCursor: null }));
  act(() => session.signIn(aSession('token', { user: ben })));
});
afterEach(async () => {
  await act(() => session.signOut());
  cleanup();
  clearBadges();
});

const listing = (...items: Conversation[]) =>
  gateway.on('GET /api/conversations', () => ({ items, nextCursor: null }));

const listed = () => gateway.calls.filter((call) => call === 'GET /api/conversations').length;

const open = (openWith?: string) =>
  render(
    <MessagesScreen
      viewer={ben}
      openWith={openWith}
      personEntries={() => () => []}
      unblock={() => undefined}
      unblocking={false}
      onReport={onReport}
    />,
    { wrapper: aPageAround().wrapper },
  );

const field = () => screen.findByRole('textbox', { name: /^Message / });

// Rule: MSG-13
describe('the list', () => {
  it('says what the last message was, with badge and unread count', async () => {
    const other = (id: string, name: string) => ({ ...aConversation().otherUser, id, name, isCoach: false });
    listing(
      aConversation({ id: 'a', lastMessage: aMessage({ content: 'Bring water' }), unreadCount: 12 }),
      aConversation({
        id: 'b',
        otherUser: other('b', 'Bea'),
        lastMessage: aMessage({ type: 'system', content: 'It began' }),
      }),
      aConversation({ id: 'c', otherUser: other('c', 'Cem') }),
    );
    open();
    const texts = (await screen.findAllByRole('listitem')).map((item) => item.textContent);
    expect(texts[0]).toMatch(/^AnaCoach.*Bring water9\+12 unread$/);
    expect(texts[1]).toContain('System notification');
    expect(texts[2]).toContain('Start a conversation...');
    expect(screen.getByText('Select a conversation')).toBeTruthy();
    expect(screen.getByText('Choose a conversation from the left to start messaging')).toBeTruthy();
  });

  it('is empty', async () => {
    listing();
    open();
    expect(await screen.findByText('No conversations yet')).toBeTruthy();
    expect(screen.getByText('Start chatting with coaches and other members!')).toBeTruthy();
    const browse = screen.getByRole('link', { name: 'Browse coaches' });
    expect(browse.getAttribute('href')).toBe('/coaches');
    // There is none to choose.
    expect(screen.queryByText('Select a conversation')).toBeNull();
  });
});

// Rule: MSG-14
describe('a thread', () => {
  it('has the other user, both users’ messages and those of Pulso', async () => {
    gateway.on(THREAD, () => OF_ALL_THREE);
    open('ana');
    expect(await screen.findByText('Fitness Coach')).toBeTruthy();
    expect(screen.getByRole('region', { name: 'Ana' })).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Ana' }).closest('a')?.getAttribute('href')).toBe('/ana');
    expect((await screen.findByText('Fine.')).closest('[data-own]')).not.toBeNull();
    expect(screen.getByText('See you on Tuesday.').closest('[data-own]')).toBeNull();
    expect(screen.getByText('Pulso')).toBeTruthy();
  });

  // Rule: UI-60
  it('tells screen readers sender and time once for what one user says in a row', async () => {
    const at = (minute: number) => ({ createdAt: `2026-11-23T10:${minute}:00.000Z`, read: true });
    gateway.on(THREAD, () => ({
      items: [
        aMessage({ id: 'm1', content: 'One', ...at(10) }),
        aMessage({ id: 'm2', content: 'Two', ...at(15) }),
        aMessage({ id: 'm3', content: 'Later', ...at(21) }),
        aMessage({ id: 'm4', content: 'Mine', senderId: 'ben', receiverId: 'ana', ...at(22) }),
      ],
      nextCursor: null,
    }));
    open('ana');
    await screen.findByText('Mine');
    const heard = [...screen.getByRole('log').children].map((row) => {
      for (const part of row.querySelectorAll('button, [aria-hidden]')) part.remove();
      return row.textContent;
    });
    const time = expect.stringMatching(/^(Ana|You):(One|Later|Mine).+$/);
    expect(heard).toEqual([time, 'Two', time, time]);
  });

  // Rule: PEOPLE-40
  it('lets report what the other user wrote, and nothing else', async () => {
    gateway.on(THREAD, () => OF_ALL_THREE);
    open('ana');
    await userEvent.click(await screen.findByRole('button', { name: 'Message menu' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Report message' }));
    expect(reported).toEqual(['m1']);
  });

  // Rule: MSG-11
  it('has a menu for the other user and a field, unless they were deleted', async () => {
    open('ana');
    expect(await screen.findByRole('button', { name: 'Conversation menu' })).toBeTruthy();
    await field();
    cleanup();
    const otherUser = { ...aConversation().otherUser, name: 'Deleted user', username: null, isCoach: false };
    listing(aConversation({ otherUser, lastMessage: aMessage() }));
    gateway.on(THREAD, () => OF_ALL_THREE);
    open('ana');
    expect(await screen.findByText('This user is no longer there.')).toBeTruthy();
    expect(await screen.findByText('Fine.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Conversation menu' })).toBeNull();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Send message' })).toBeNull();
  });

  it('is empty, and says so when it did not load', async () => {
    open('ana');
    expect(await screen.findByText('No messages yet. Start the conversation!')).toBeTruthy();
    cleanup();
    gateway.on(THREAD, () => problem(418, 'teapot'));
    open('ana');
    expect(await screen.findByText('Error loading conversation data')).toBeTruthy();
  });

  // Rule: MSG-6, UI-62
  it('that is open marks as read up to the newest message, and takes the badge away', async () => {
    let upTo: unknown;
    gateway.on('POST /api/conversations/ana_ben/read', async (request) => {
      upTo = await request.json();
      return new Response(null, { status: 204 });
    });
    listing(aConversation({ lastMessage: aMessage(), unreadCount: 2 }));
    gateway.on(THREAD, () => ({ items: [aMessage(), aMessage({ id: 'm2' })], nextCursor: null }));
    act(() => setBadges({ messages: 3 }));
    open('ana');
    await waitFor(() => expect(upTo).toEqual({ upTo: 'm2' }));
    expect(getBadges().messages).toBe(1);
  });

  // Rule: MSG-6
  it('brings the badge back when it could not be marked as read', async () => {
    gateway.on('POST /api/conversations/ana_ben/read', () => problem(503, 'unavailable'));
    listing(aConversation({ lastMessage: aMessage(), unreadCount: 2 }));
    gateway.on(THREAD, () => ({ items: [aMessage()], nextCursor: null }));
    act(() => setBadges({ messages: 3 }));
    open('ana');
    await waitFor(() => expect(gateway.calls).toContain('POST /api/conversations/ana_ben/read'));
    await waitFor(() => expect(getBadges().messages).toBe(3));
  });

  // Rule: MSG-6
  it('is marked as read once the network is back, and not again once it was refused for good', async () => {
    const marks = () =>
      gateway.calls.filter((call) => call === 'POST /api/conversations/ana_ben/read').length;
    const answer = (response: () => Response) => gateway.on('POST /api/conversations/ana_ben/read', response);
    answer(() => problem(503, 'unavailable'));
    listing(aConversation({ lastMessage: aMessage(), unreadCount: 2 }));
    gateway.on(THREAD, () => ({ items: [aMessage()], nextCursor: null }));
    act(() => setBadges({ messages: 3 }));
    open('ana');
    await waitFor(() => expect(marks()).toBe(1));
    await waitFor(() => expect(getBadges().messages).toBe(3));
    answer(() => problem(404, 'not-found'));
    act(() => void window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(marks()).toBe(2));
    await waitFor(() => expect(getBadges().messages).toBe(3));
    await act(async () => void window.dispatchEvent(new Event('online')));
    expect(marks()).toBe(2);
    answer(() => new Response(null, { status: 204 }));
    act(() => emitLive({ type: 'message', data: aMessage({ id: 'm2' }) }));
    await waitFor(() => expect(marks()).toBe(3));
    await waitFor(() => expect(getBadges().messages).toBeLessThan(3));
  });

  // Rule: MSG-6
  it('reads the list again that was asked for before the messages in it were read', async () => {
    open('ana');
    await screen.findByText('No messages yet. Start the conversation!');
    let answerList!: () => void;
    const older = new Promise<void>((resolve) => (answerList = resolve));
    gateway.on('GET /api/conversations', async () => {
      await older;
      return { items: [aConversation({ lastMessage: aMessage(), unreadCount: 1 })], nextCursor: null };
    });
    gateway.on(THREAD, () => ({ items: [aMessage()], nextCursor: null }));
    gateway.on('POST /api/conversations/ana_ben/read', async () => {
      listing(aConversation({ lastMessage: aMessage({ read: true }) }));
      return new Response(null, { status: 204 });
    });
    act(() => emitLive({ type: 'reload' }));
    await waitFor(() => expect(gateway.calls).toContain('POST /api/conversations/ana_ben/read'));
    act(answerList);
    await waitFor(() => expect(listed()).toBe(3));
  });

  // Rule: NOTIF-8
  it('shows what arrives', async () => {
    open('ana');
    await screen.findByText('No messages yet. Start the conversation!');
    act(() => emitLive({ type: 'message', data: aMessage({ content: 'Just now' }) }));
    expect((await screen.findAllByText('Just now')).length).toBeGreaterThan(0);
    await waitFor(() => expect(gateway.calls).toContain('POST /api/conversations/ana_ben/read'));
  });
});
