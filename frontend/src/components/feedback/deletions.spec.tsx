import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { aMe, aSession } from '../../../test/a-post.js';
import { fakeGateway } from '../../../test/fake-gateway.js';
import { aPageAround } from '../../../test/render.js';
import { session } from '../../server/session/session.js';
import { deletedOf, useDeletion, useDeletions, withoutDeleted } from './deletions.js';
import { FeedbackHost } from './feedback-host.js';
import { AUTO_CLOSE_WITH_ACTION, clearFeedback } from './feedback-store.js';
import { settle } from './undoable.js';

const signIn = (id: string) => act(() => session.signIn(aSession('token', { user: aMe({ id }) })));

/** Ids are never used again, and what was deleted is remembered for as long as its viewer is signed in. */
let items: { id: string }[];
let sent: string[];
let answer: () => Promise<unknown>;
const onFailed = jest.fn();

beforeEach(() => {
  jest.useFakeTimers();
  jest.clearAllMocks();
  fakeGateway();
  signIn('ben');
  items = [{ id: 'a' }, { id: 'b' }];
  sent = [];
  answer = () => Promise.resolve();
  render(
    <>
      <List />
      <FeedbackHost />
    </>,
    { wrapper: aPageAround().wrapper },
  );
});
afterEach(() => {
  act(clearFeedback);
  act(() => session.forceSignOut());
  cleanup();
  jest.useRealTimers();
});

function List() {
  const deletions = useDeletions();
  const deleteWithUndo = useDeletion();
  return (
    <ul aria-label={`${deletedOf('list', deletions)} to be deleted`}>
      {withoutDeleted(items, deletions).map(({ id }) => (
        <li key={id} data-item={id} tabIndex={-1}>
          {id}
          <button
            onClick={() =>
              deleteWithUndo({
                id,
                of: 'list',
                message: `${id} is deleted`,
                selector: `[data-item=${id}]`,
                send: () => (sent.push(id), answer()),
                onDeleted: () => undefined,
                onFailed,
              })
            }
          >
            delete {id}
          </button>
        </li>
      ))}
    </ul>
  );
}

const remove = (id: string) => fireEvent.click(screen.getByText(`delete ${id}`));
const shown = () => screen.queryAllByRole('listitem').map((item) => item.dataset.item);
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const hide = (state: DocumentVisibilityState) => {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
};

// Rule: UI-56
describe('a deletion', () => {
  it('shows at once and is sent when its toast ends, which waits while it is attended', async () => {
    remove('a');
    expect(shown()).toEqual(['b']);
    expect(screen.getByRole('list', { name: '1 to be deleted' })).toBeTruthy();
    await pass(AUTO_CLOSE_WITH_ACTION - 1);
    const toast = screen.getByText('a is deleted').parentElement!;
    fireEvent.pointerEnter(toast);
    await pass(60_000);
    expect(sent).toEqual([]);
    fireEvent.pointerLeave(toast);
    await pass(1);
    expect(sent).toEqual(['a']);
    expect(shown()).toEqual(['b']);
    expect(screen.getByRole('list', { name: '0 to be deleted' })).toBeTruthy();
    expect(screen.queryByText('a is deleted')).toBeNull();
  });

  it('is taken back by Undo: it is in its place again, with the focus, and nothing is sent', async () => {
    remove('a');
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(shown()).toEqual(['a', 'b']);
    expect(document.activeElement).toBe(screen.getAllByRole('listitem')[0]);
    expect(screen.queryByText('a is deleted')).toBeNull();
    await pass(60_000);
    expect(sent).toEqual([]);
  });

  it.each([
    ['its toast is dismissed', () => fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))],
    ['the page is left', () => act(() => void window.dispatchEvent(new Event('pagehide')))],
    ['the page is hidden', () => hide('hidden')],
    ['another deletion follows', () => remove('b')],
  ])('is sent at once when %s', async (_when, happens) => {
    remove('a');
    await act(async () => void happens());
    expect(sent).toEqual(['a']);
    expect(screen.queryByText('a is deleted')).toBeNull();
    hide('visible');
    await act(() => settle());
  });

  it('that fails is shown again and told, and does not count as settled', async () => {
    answer = () => Promise.reject(new TypeError('no network'));
    remove('a');
    let settled: boolean | undefined;
    await act(async () => (settled = await settle()));
    expect(settled).toBe(false);
    expect(shown()).toEqual(['a', 'b']);
    expect(onFailed).toHaveBeenCalledTimes(1);
    await act(async () => (settled = await settle()));
    expect(settled).toBe(true);
  });

  it('is waited for while it is being sent, by those who change the same thing', async () => {
    let arrive: () => void = () => undefined;
    answer = () => new Promise<void>((resolve) => (arrive = resolve));
    remove('a');
    const ends: string[] = [];
    let settleA: Promise<unknown> = Promise.resolve();
    act(() => {
      settleA = settle('a').then(() => ends.push('a'));
    });
    const settleB = settle('b').then(() => ends.push('b'));
    await act(() => settleB);
    expect(ends).toEqual(['b']);
    await act(async () => arrive());
    await act(() => settleA);
    expect(ends).toEqual(['b', 'a']);
  });

  it('is not sent in the session of somebody else, who sees everything', async () => {
    remove('a');
    signIn('ana');
    act(clearFeedback);
    await pass(60_000);
    expect(sent).toEqual([]);
    expect(shown()).toEqual(['a', 'b']);
  });
});
