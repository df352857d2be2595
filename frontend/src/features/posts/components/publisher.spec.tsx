import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aMe, aPost, aSession } from '../../../../test/a-post.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { session } from '../../../server/session/session.js';
import { setDraft } from '../drafts.js';
import { Publisher } from './publisher.js';
import { EMPTY_POST } from '../post-fields.js';

const media = globalThis.matchMedia;
const viewer = aMe({ id: 'ben' });
let answer: (() => void) | undefined;
beforeEach(() => {
  answer = undefined;
  act(() => session.signIn(aSession('token', { user: viewer })));
  fakeGateway().on('POST /api/posts', async () => {
    await new Promise<void>((resolve) => (answer = resolve));
    return aPost({ author: { ...aPost().author, id: 'ben' } });
  });
});
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
  globalThis.matchMedia = media;
  clearFeedback();
  act(() => setDraft('ben', EMPTY_POST));
  session.forceSignOut();
});

const open = () =>
  render(
    <>
      <Publisher viewer={viewer} />
      <a href="/elsewhere">Elsewhere</a>
    </>,
    { wrapper: aPageAround().wrapper },
  );
const field = () => screen.getByRole('textbox', { name: 'Your post' });
const post = () => screen.queryByRole('button', { name: /^Post/ });

async function press(): Promise<void> {
  open();
  await userEvent.type(field(), 'Five sets of five');
  await userEvent.click(post()!);
  await waitFor(() => expect(answer).toBeDefined());
}

// Rule: UI-46, UI-51
it('after Post the publisher is folded with the focus in its field, and unfolds when that is used', async () => {
  await press();
  act(() => answer?.());
  await waitFor(() => expect(post()).toBeNull());
  expect(document.activeElement).toBe(field());
  await userEvent.click(field());
  expect(post()).toBeTruthy();
});

// Rule: UI-17
it('what is typed while a post is on its way is the next draft, with the focus', async () => {
  await press();
  await userEvent.type(field(), ' and a run');
  expect(field()).toHaveProperty('value', 'Five sets of five and a run');
  act(() => answer?.());
  await waitFor(() => expect(field()).toHaveProperty('value', 'and a run'));
  expect(document.activeElement).toBe(field());
  expect(post()).toBeTruthy();
});

// Rule: UI-46
it('a post that is answered leaves the focus where the author has gone meanwhile', async () => {
  await press();
  screen.getByRole('link', { name: 'Elsewhere' }).focus();
  act(() => answer?.());
  await waitFor(() => expect(post()).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Elsewhere' }));
});

// Rule: UI-46
it('on a phone the focus is on the button that opens the publisher, also where a press gives it none', async () => {
  globalThis.matchMedia = (query) => ({ ...media(query), matches: true });
  open();
  const opener = () => screen.getByRole('button', { name: 'How did your training go?' });
  fireEvent.click(opener());
  await userEvent.type(field(), 'Five sets of five');
  await userEvent.click(post()!);
  await waitFor(() => expect(answer).toBeDefined());
  act(() => answer?.());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(opener());
});

// Rule: UI-53
it('on a phone a post without the network stays, and its dialog says why until the network is back', async () => {
  globalThis.matchMedia = (query) => ({ ...media(query), matches: true });
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  fakeGateway().on('POST /api/posts', () => {
    throw new TypeError('Failed to fetch');
  });
  open();
  await userEvent.click(screen.getByRole('button', { name: 'How did your training go?' }));
  await userEvent.type(field(), 'Five sets of five');
  await userEvent.click(post()!);
  const dialog = screen.getByRole('dialog');
  expect((await within(dialog).findByRole('alert')).textContent).toContain('You seem to be offline.');
  expect(getFeedback()).toMatchObject({ dialogs: [], toasts: [] });
  expect(field()).toHaveProperty('value', 'Five sets of five');
  act(() => void window.dispatchEvent(new Event('online')));
  expect(within(dialog).queryByRole('alert')).toBeNull();
});

// Rule: UI-33
it('on a phone a post that fails says so in its dialog, over which nothing opens', async () => {
  globalThis.matchMedia = (query) => ({ ...media(query), matches: true });
  fakeGateway().on('POST /api/posts', () => problem(500, 'internal'));
  open();
  await userEvent.click(screen.getByRole('button', { name: 'How did your training go?' }));
  await userEvent.type(field(), 'Five sets of five');
  await userEvent.click(post()!);
  const alert = await within(screen.getByRole('dialog')).findByRole('alert');
  expect(alert.textContent).toContain('Failed to create post. Please try again.');
  expect(getFeedback()).toMatchObject({ dialogs: [], toasts: [] });
});
