import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aConversation, aMessage } from '../../test/a-conversation.js';
import { aMe, aProfile, aSession } from '../../test/a-post.js';
import { fakeGateway, problem } from '../../test/fake-gateway.js';
import type { FakeGateway } from '../../test/fake-gateway.js';
import { aPageAround } from '../../test/render.js';
import type { Conversation } from '../api/types.js';
import { clearFeedback } from '../components/feedback/feedback-store.js';
import { session } from '../server/session/session.js';
import MessagesPage from './messages-page.js';

const THREAD = 'GET /api/conversations/ana_ben/messages';

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
  gateway.on('POST /api/auth/logout', () => new Response(null, { status: 204 }));
  gateway.on('POST /api/conversations/ana_ben/read', () => new Response(null, { status: 204 }));
  gateway.on(THREAD, () => ({ items: [], nextCursor: null }));
  act(() => session.signIn(aSession('token', { user: aMe({ id: 'ben' }) })));
});
afterEach(async () => {
  await act(() => session.signOut());
  cleanup();
  act(clearFeedback);
});

const listing = (...items: Conversation[]) =>
  gateway.on('GET /api/conversations', () => ({ items, nextCursor: null }));

const open = (path: string) => render(<MessagesPage />, { wrapper: aPageAround({ path }).wrapper });

// Rule: MSG-15
describe('an address with a user', () => {
  it('opens the conversation of the list, and starts none', async () => {
    listing(aConversation({ lastMessage: aMessage() }));
    gateway.on(THREAD, () => ({ items: [aMessage({ content: 'Fine.' })], nextCursor: null }));
    open('/messages?with=ana');
    expect(await screen.findByText('Fine.')).toBeTruthy();
    expect(gateway.calls).not.toContain('POST /api/conversations');
  });

  it('starts the conversation where there is none', async () => {
    listing();
    gateway.on('POST /api/conversations', () => aConversation());
    open('/messages?with=ana');
    expect(await screen.findByPlaceholderText('Message Ana...')).toBeTruthy();
    expect(gateway.calls).toContain('POST /api/conversations');
  });

  it('shows the user where starting fails, and the first message creates the conversation', async () => {
    listing();
    gateway.on('POST /api/conversations', () => problem(503, 'unavailable'));
    gateway.on('GET /api/users/ana', () => aProfile({ id: 'ana', name: 'Ana' }));
    gateway.on('POST /api/messages', () =>
      aMessage({ id: 'm9', senderId: 'ben', receiverId: 'ana', content: 'Hi' }),
    );
    open('/messages?with=ana');
    expect(await screen.findByText('No messages yet. Start the conversation!')).toBeTruthy();
    expect(gateway.calls).not.toContain(THREAD);
    await userEvent.type(await screen.findByRole('textbox'), 'Hi{Enter}');
    await waitFor(() => expect(screen.queryByText('Sending...')).toBeNull());
    expect(screen.getByText('Hi')).toBeTruthy();
  });

  it('asks for the messages where starting fails and the list is not known as a whole', async () => {
    gateway.on('GET /api/conversations', () => ({ items: [], nextCursor: 'more' }));
    gateway.on('POST /api/conversations', () => problem(503, 'unavailable'));
    gateway.on('GET /api/users/ana', () => aProfile({ id: 'ana', name: 'Ana' }));
    gateway.on(THREAD, () => ({ items: [aMessage({ content: 'Fine.' })], nextCursor: null }));
    open('/messages?with=ana');
    expect(await screen.findByText('Fine.')).toBeTruthy();
  });

  // Rule: MSG-9
  it('of somebody whom the viewer has blocked offers to unblock them, and no field', async () => {
    listing();
    const { viewer } = aProfile();
    gateway.on('POST /api/conversations', () => problem(403, 'blocked'));
    gateway.on('GET /api/users/ana', () =>
      aProfile({ id: 'ana', name: 'Ana', viewer: { ...viewer!, blocked: true } }),
    );
    open('/messages?with=ana');
    expect(
      await screen.findByText('You have blocked Ana. Unblock them to write to each other.'),
    ).toBeTruthy();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Conversation menu' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Unblock' }));
    await waitFor(() => expect(gateway.calls).toContain('DELETE /api/users/ana/block'));
  });

  // To others a user who is unknown, deleted or has blocked the viewer is the same: not there.
  it.each([
    ['unknown or deleted', 404, 'not-found', 'This user is no longer there.'],
    ['blocking the viewer', 403, 'blocked', 'You cannot send messages to this user.'],
  ])(
    'calls somebody User who is %s, and says so when a message is refused',
    async (_who, status, code, text) => {
      listing();
      gateway.on('POST /api/conversations', () => problem(status, code));
      gateway.on('POST /api/messages', () => problem(status, code));
      open('/messages?with=ana');
      expect(await screen.findByPlaceholderText('Message User...')).toBeTruthy();
      await userEvent.type(await screen.findByRole('textbox'), 'Hi{Enter}');
      expect(await screen.findByText(text)).toBeTruthy();
      expect(gateway.calls).not.toContain(THREAD);
      // For the next test: it would be there again.
      await userEvent.click(screen.getByRole('button', { name: 'Discard this message' }));
    },
  );

  it.each(['/messages?with=ben', '/messages?with=', '/messages'])(
    'of oneself or of nobody opens no conversation: %s',
    async (path) => {
      listing();
      open(path);
      expect(await screen.findByText('Select a conversation')).toBeTruthy();
      expect(await screen.findByText('No conversations yet')).toBeTruthy();
      expect(screen.queryByRole('textbox')).toBeNull();
      expect(gateway.calls).not.toContain('POST /api/conversations');
    },
  );
});
