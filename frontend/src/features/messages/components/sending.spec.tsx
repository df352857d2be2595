import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aConversation } from '../../../../test/a-conversation.js';
import { aMe, aSession } from '../../../../test/a-post.js';
import { fakeGateway, problem, refusal } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { fromBen, heldMessages } from '../../../../test/held-messages.js';
import { aPageAround } from '../../../../test/render.js';
import type { Message } from '../../../api/types.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { session } from '../../../server/session/session.js';
import { MessagesScreen } from './messages-screen.js';

const ben = aMe({ id: 'ben' });
const WAITS = 'Not sent yet. It goes when you are back online.';
const TRIED_AGAIN = 'Not sent yet. It is tried again in a moment.';

let gateway: FakeGateway;
let messages: ReturnType<typeof heldMessages>;
let online: boolean;

const signIn = () => act(() => session.signIn(aSession('token', { user: ben })));

beforeEach(() => {
  gateway = fakeGateway();
  gateway.on('POST /api/auth/logout', () => new Response(null, { status: 204 }));
  gateway.on('GET /api/conversations', () => ({ items: [aConversation()], nextCursor: null }));
  gateway.on('GET /api/conversations/ana_ben/messages', () => ({ items: [], nextCursor: null }));
  messages = heldMessages(gateway);
  online = true;
  jest.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online);
  signIn();
});
afterEach(async () => {
  jest.useRealTimers();
  await act(() => session.signOut());
  cleanup();
  act(clearFeedback);
  jest.restoreAllMocks();
});

const open = () =>
  render(
    <MessagesScreen
      viewer={ben}
      openWith="ana"
      personEntries={() => () => []}
      unblock={() => undefined}
      unblocking={false}
      onReport={() => undefined}
    />,
    { wrapper: aPageAround().wrapper },
  );

const field = () => screen.findByRole('textbox', { name: /^Message / });

async function write(text: string): Promise<void> {
  await userEvent.type(await field(), text);
}

function lost(): never {
  throw new TypeError('Failed to fetch');
}

const allSent = () => waitFor(() => expect(screen.queryByText(/^Not sent|^Sending/)).toBeNull());

function comeOnline() {
  online = true;
  act(() => void window.dispatchEvent(new Event('online')));
}

/** A page whose message 'One' waits for the network, and what the gateway answers from then on. */
async function aWaitingMessage(answer: (content: string) => Message | Response = fromBen) {
  messages.answering((content) => (online ? answer(content) : lost()));
  open();
  online = false;
  await write('One{Enter}');
  await messages.answerNext(1);
  expect(await screen.findByText(WAITS)).toBeTruthy();
}

/** From now on the clock runs only while something is awaited: as far as the next try. */
const skipWaits = () =>
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] });

// Rule: MSG-9, MSG-15
describe('a message that its receiver will never get', () => {
  it.each([
    [403, 'blocked', 'You cannot send messages to this user.'],
    [404, 'not-found', 'This user is no longer there.'],
  ])('closes the field with the reason, and keeps its text: %s %s', async (status, code, reason) => {
    messages.answering(() => problem(status, code));
    open();
    await write('One{Enter}');
    await messages.answerNext(1);
    expect(await screen.findByText(reason)).toBeTruthy();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.queryByRole('button', { name: /Retry|again/i })).toBeNull();
    expect(screen.getByText('One')).toBeTruthy();
    expect(document.activeElement).not.toBe(document.body);
    // Nothing is left to tell then.
    await userEvent.click(screen.getByRole('button', { name: /Discard/ }));
    expect(await field()).toBeTruthy();
  });
});

// Rule: MSG-8
describe('sending', () => {
  it('shows each at once and sends one after the other', async () => {
    messages.answering(fromBen);
    open();
    await write('One{Enter}');
    await write('Two{Enter}');
    expect(screen.getAllByText('Sending...')).toHaveLength(2);
    await waitFor(() => expect(messages.contents()).toEqual(['One']));
    await messages.answerNext(1);
    await waitFor(() => expect(messages.contents()).toEqual(['One', 'Two']));
    await messages.answerNext(2);
    await allSent();
    expect(within(screen.getByRole('log')).getAllByText('One')).toHaveLength(1);
  });

  it('keeps what failed, with the same key when it is sent again, also after leaving the page', async () => {
    let fails = true;
    messages.answering((content) => (fails ? problem(500, 'internal') : fromBen(content)));
    open();
    await write('One{Enter}');
    await messages.answerNext(1);
    expect(await screen.findByText('Not sent.')).toBeTruthy();
    cleanup();
    fails = false;
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Retry sending this message' }));
    expect(document.activeElement).toBe(await field());
    await messages.answerNext(2);
    await allSent();
    expect(messages.sent[0]?.key).toBeTruthy();
    expect(messages.sent[1]).toEqual(messages.sent[0]);
  });

  it('says why a text was refused', async () => {
    messages.answering(() => refusal('content', 'Contains characters that are not valid text'));
    open();
    await write('One{Enter}');
    await messages.answerNext(1);
    expect(await screen.findByText('Not sent. Contains characters that are not valid text')).toBeTruthy();
  });

  it('a refused token stops those that follow, too: they stay in order', async () => {
    messages.answering(() => problem(401, 'user-token-expired'));
    // The refresh has no answer, so the session goes on.
    jest.spyOn(session, 'replace').mockResolvedValue(undefined);
    open();
    await write('One{Enter}');
    await write('Two{Enter}');
    await messages.answerNext(1);
    await waitFor(() => expect(screen.getAllByText('Not sent.')).toHaveLength(2));
    expect(messages.contents()).toEqual(['One']);
  });

  // Rule: UI-46, UI-56
  it('discards what failed when asked to, and takes that back', async () => {
    messages.answering(() => problem(500, 'internal'));
    open();
    await write('One{Enter}');
    await messages.answerNext(1);
    expect(await screen.findByText('Not sent.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Discard this message' }));
    expect(screen.queryByText('Not sent.')).toBeNull();
    expect(document.activeElement).toBe(await field());
    act(() => (document.activeElement as HTMLElement).blur());
    act(() => getFeedback().toasts[0]?.action?.run());
    expect(screen.getByText('Not sent.')).toBeTruthy();
    expect(document.activeElement).toBe(await field());
  });

  it('makes a new line by Shift+Enter, keeps a draft, and sends nothing empty', async () => {
    open();
    await write('{Enter}  {Enter}');
    await userEvent.clear(await field());
    await write('One{Shift>}{Enter}{/Shift}Two');
    cleanup();
    open();
    expect(((await field()) as HTMLTextAreaElement).value).toBe('One\nTwo');
    expect(gateway.calls).not.toContain('POST /api/messages');
    await userEvent.clear(await field());
  });
});

// Rule: UI-61
describe('a message that waits for the network', () => {
  it('goes by itself when that is back, in order and with the same key, wherever the user is', async () => {
    await aWaitingMessage();
    await write('Two{Enter}');
    expect(screen.getAllByText(WAITS)).toHaveLength(2);
    cleanup();
    comeOnline();
    comeOnline();
    await messages.answerNext(2);
    await messages.answerNext(3);
    open();
    await field();
    await allSent();
    expect(messages.contents()).toEqual(['One', 'One', 'Two']);
    expect(messages.sent[1]).toEqual(messages.sent[0]);
  });

  it('stays as it is where its page opens again without a network, and then goes once', async () => {
    const listens = jest.spyOn(window, 'addEventListener');
    const stops = jest.spyOn(window, 'removeEventListener');
    const isOnline = ([type]: readonly unknown[]) => type === 'online';
    await aWaitingMessage();
    const listeners = () =>
      listens.mock.calls.filter(isOnline).length - stops.mock.calls.filter(isOnline).length;
    const before = listeners();
    for (let visit = 0; visit < 3; visit += 1) {
      cleanup();
      open();
      await field();
      expect(await screen.findByText(WAITS)).toBeTruthy();
    }
    expect(messages.contents()).toEqual(['One']);
    expect(listeners()).toBe(before);
    comeOnline();
    await messages.answerNext(2);
    await allSent();
    expect(messages.contents()).toEqual(['One', 'One']);
  });

  it.each([
    ['lost', lost],
    ['refused with its token', () => problem(401, 'user-token-expired')],
  ])('waits on where the first calls of a new network are %s', async (_, fail) => {
    jest.spyOn(session, 'replace').mockResolvedValue(undefined);
    let works = false;
    await aWaitingMessage((content) => (works ? fromBen(content) : fail()));
    skipWaits();
    comeOnline();
    await messages.answerNext(2);
    expect(await screen.findByText(TRIED_AGAIN)).toBeTruthy();
    works = true;
    await messages.answerNext(3);
    await allSent();
    expect(messages.contents()).toEqual(['One', 'One', 'One']);
  });

  it('counts as not sent after three further tries', async () => {
    await aWaitingMessage(lost);
    skipWaits();
    comeOnline();
    for (const call of [2, 3, 4]) {
      await messages.answerNext(call);
      expect(await screen.findByText(TRIED_AGAIN)).toBeTruthy();
    }
    await messages.answerNext(5);
    expect(await screen.findByText('Not sent.')).toBeTruthy();
  });

  it('goes before the next message where the page was not told of the network', async () => {
    await aWaitingMessage();
    online = true;
    await write('Two{Enter}');
    await messages.answerNext(2);
    await messages.answerNext(3);
    await allSent();
    expect(messages.contents()).toEqual(['One', 'One', 'Two']);
  });

  // Rule: UI-56
  it('goes, too, where its discard is taken back when the network is there', async () => {
    await aWaitingMessage();
    await userEvent.click(screen.getByRole('button', { name: 'Discard this message' }));
    comeOnline();
    act(() => getFeedback().toasts[0]?.action?.run());
    await messages.answerNext(2);
    await allSent();
    expect(messages.sent[1]).toEqual(messages.sent[0]);
  });

  it('is not sent by itself after an hour', async () => {
    await aWaitingMessage();
    const later = Date.now() + 61 * 60_000;
    jest.spyOn(Date, 'now').mockReturnValue(later);
    comeOnline();
    expect(await screen.findByText('Not sent.')).toBeTruthy();
    expect(messages.contents()).toEqual(['One']);
  });

  it('is gone after a log-out', async () => {
    await aWaitingMessage();
    cleanup();
    await act(() => session.signOut());
    signIn();
    comeOnline();
    open();
    await field();
    expect(screen.queryByText(/^Not sent|^Sending/)).toBeNull();
    expect(messages.contents()).toEqual(['One']);
  });

  it('stays where the session has ended, until its user is back', async () => {
    await aWaitingMessage();
    cleanup();
    act(() => session.forceSignOut());
    comeOnline();
    signIn();
    open();
    await messages.answerNext(2);
    await allSent();
    expect(messages.sent.map(({ token }) => token)).toEqual(['Bearer token', 'Bearer token']);
  });
});
