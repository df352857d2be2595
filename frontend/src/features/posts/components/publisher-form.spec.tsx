import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aPost } from '../../../../test/a-post.js';
import { fakeGateway, problem, refusal } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { PublisherForm } from './publisher-form.js';
import { EMPTY_POST } from '../post-fields.js';

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
});
afterEach(() => {
  cleanup();
  clearFeedback();
});

const noPhotos = {
  isOpen: false,
  isBlocked: false,
  isUnfinished: () => false,
  preload: () => undefined,
  toggle: () => undefined,
  add: () => undefined,
  close: () => undefined,
};

const noVideo = {
  ...{ userId: 'ben', isOpen: false, isBlocked: false, percent: undefined },
  ...{ toggle: () => undefined, add: () => undefined, close: () => undefined },
};

const open = (content: string, isCoach = false) =>
  render(
    <PublisherForm
      draft={{ ...EMPTY_POST, content }}
      onDraft={() => undefined}
      isCoach={isCoach}
      onPosted={() => undefined}
      photos={noPhotos}
      video={noVideo}
      folded={false}
      onUse={() => undefined}
    />,
    { wrapper: aPageAround().wrapper },
  );

// Rule: UI-17
describe('the publisher', () => {
  it.each(['', ' \n ', '\u200b'])('does not send %j', async (content) => {
    open(content);
    const button = screen.getByRole('button', { name: 'Post' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(button);
    expect(gateway.calls).toEqual([]);
  });

  // Rule: POST-15
  it('says what is missing when nothing is sent by keyboard', async () => {
    open(' ');
    await userEvent.type(screen.getByRole('textbox', { name: 'Your post' }), '{Control>}{Enter}{/Control}');
    expect(getFeedback().toasts).toMatchObject([
      { message: 'Please add some content, images, or video to your post.' },
    ]);
    expect(gateway.calls).toEqual([]);
  });

  // Rule: UI-45
  it('is left by Escape', async () => {
    open('x');
    await userEvent.click(screen.getByRole('textbox', { name: 'Your post' }));
    await userEvent.keyboard('{Escape}');
    expect(document.activeElement).toBe(document.body);
  });

  it('says that a post is under way', async () => {
    let answer: ((post: unknown) => void) | undefined;
    gateway.on('POST /api/posts', () => new Promise((resolve) => (answer = resolve)));
    open('Five sets of five');
    await userEvent.click(screen.getByRole('button', { name: 'Post' }));
    const busy = await screen.findByRole('button', { name: 'Posting...' });
    await userEvent.click(busy);
    await waitFor(() => expect(answer).toBeDefined());
    answer?.(aPost());
    expect(await screen.findByRole('button', { name: 'Post' })).toBeTruthy();
    expect(gateway.calls).toEqual(['POST /api/posts']);
  });

  // Rule: UI-33
  it('takes the error of its failure away when it succeeds', async () => {
    gateway.on('POST /api/posts', () => problem(500, 'internal'));
    open('Five sets of five');
    await userEvent.click(screen.getByRole('button', { name: 'Post' }));
    await waitFor(() => expect(getFeedback().toasts).toMatchObject([{ type: 'error' }]));
    gateway.on('POST /api/posts', () => aPost());
    await userEvent.click(await screen.findByRole('button', { name: 'Post' }));
    await waitFor(() => expect(getFeedback().toasts.map(({ type }) => type)).toEqual(['success']));
  });

  // Rule: UI-33, UI-53
  it.each([false, true])('without an answer, online: %s, says so once, in no dialog', async (online) => {
    const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
    gateway.on('POST /api/posts', () => {
      throw new TypeError('Failed to fetch');
    });
    open('Five sets of five');
    await userEvent.click(screen.getByRole('button', { name: 'Post' }));
    const told = () => ({ toasts: getFeedback().toasts.length, dialogs: getFeedback().dialogs.length });
    await waitFor(() => expect(told()).toEqual({ toasts: 1, dialogs: 0 }));
    onLine.mockRestore();
  });

  it('says why the server refused a text, at its field', async () => {
    gateway.on('POST /api/posts', () => refusal('content', 'Contains characters that are not valid text'));
    open('Five sets of five');
    await userEvent.click(screen.getByRole('button', { name: 'Post' }));
    expect(await screen.findByText('Contains characters that are not valid text')).toBeTruthy();
    expect(screen.getByRole('textbox', { name: 'Your post' }).getAttribute('aria-invalid')).toBe('true');
    expect(getFeedback().toasts).toMatchObject([{ message: 'Contains characters that are not valid text' }]);
  });

  // Rule: HTTP-11
  it('sends line breaks of other programs as line breaks', async () => {
    let body: unknown;
    gateway.on('POST /api/posts', async (request) => {
      body = await request.json();
      return aPost();
    });
    open('one\vtwo\fthree');
    await userEvent.click(screen.getByRole('button', { name: 'Post' }));
    await waitFor(() => expect(body).toEqual({ content: 'one\ntwo\nthree', visibility: 'public' }));
  });

  it('lets coaches alone choose who may read', () => {
    open('x');
    expect(screen.queryByText('Subscribers only')).toBeNull();
    cleanup();
    open('x', true);
    expect(screen.getByText('Subscribers only')).toBeTruthy();
  });
});
