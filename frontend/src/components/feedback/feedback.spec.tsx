import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { aPageAround } from '../../../test/render.js';
import { FeedbackHost } from './feedback-host.js';
import { clearFeedback, confirm, notify, succeeded, toast } from './feedback-store.js';
import type { NoticeType } from './feedback-store.js';

beforeEach(() => {
  jest.useFakeTimers();
  render(<FeedbackHost />, { wrapper: aPageAround().wrapper });
});
afterEach(() => {
  act(clearFeedback);
  cleanup();
  jest.useRealTimers();
});

const dialog = () => screen.queryByRole('alertdialog');
// jsdom has no layout: every dialog is a point at 0, 0.
const pressBackdrop = () => fireEvent.mouseDown(dialog()!, { clientX: 1, clientY: 1 });
const pass = (ms: number) => {
  act(() => {
    jest.advanceTimersByTime(ms);
  });
};
const escape = (element: HTMLElement) => {
  act(() => {
    element.dispatchEvent(new Event('cancel', { cancelable: true }));
  });
};

// Rule: UI-33
describe('the notification dialog', () => {
  it.each([
    ['success', 'Success!'],
    ['error', 'Error'],
    ['warning', 'Warning'],
    ['info', 'Information'],
  ] as [NoticeType, string][])('of type %s is titled "%s"', (type, title) => {
    act(() => notify({ type, message: 'text' }));
    expect(screen.getByRole('alertdialog', { name: title })).toBeTruthy();
  });

  it('takes another title', () => {
    act(() => notify({ type: 'info', title: 'Login Required', message: 'text' }));
    expect(screen.getByRole('alertdialog', { name: 'Login Required' })).toBeTruthy();
  });

  it.each(['success', 'warning', 'info'] as NoticeType[])('of type %s closes after 3000 ms', (type) => {
    act(() => notify({ type, message: 'text' }));
    pass(2999);
    expect(dialog()).not.toBeNull();
    pass(1);
    expect(dialog()).toBeNull();
  });

  it('stays when it has ways on to choose from', () => {
    act(() => notify({ type: 'info', message: 'text', actions: () => <a href="/login">Login</a> }));
    pass(60_000);
    expect(dialog()).not.toBeNull();
    expect(screen.queryByRole('button', { name: 'OK' })).toBeNull();
  });

  it('stays when it is an error, until it is closed', () => {
    act(() => notify({ type: 'error', message: 'text' }));
    pass(60_000);
    expect(dialog()).not.toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'OK' }));
    expect(dialog()).toBeNull();
  });

  it('closes by Escape and by a click on the backdrop, not by one inside', () => {
    act(() => notify({ type: 'error', message: 'first' }));
    fireEvent.mouseDown(screen.getByText('first'));
    expect(dialog()).not.toBeNull();
    pressBackdrop();
    expect(dialog()).toBeNull();

    act(() => notify({ type: 'error', message: 'second' }));
    escape(dialog()!);
    expect(dialog()).toBeNull();
  });

  it('does not give a key that is pressed as it opens to a button', () => {
    act(() => notify({ type: 'error', message: 'text' }));
    expect(document.activeElement).toBe(screen.getByText('text'));
  });

  it('shows one after the other', () => {
    act(() => {
      notify({ type: 'error', message: 'first' });
      notify({ type: 'error', message: 'second' });
    });
    expect(screen.queryByText('second')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'OK' }));
    expect(screen.getByText('second')).toBeTruthy();
  });
});

// Rule: UI-35
describe('the confirm dialog', () => {
  const ask = () => {
    let answer: Promise<boolean> = Promise.resolve(false);
    act(() => {
      answer = confirm({ message: 'Really?' });
    });
    return answer;
  };

  it('is titled Confirm Action, with the focus on Confirm', async () => {
    const answer = ask();
    expect(screen.getByRole('alertdialog', { name: 'Confirm Action' })).toBeTruthy();
    const button = screen.getByRole('button', { name: 'Confirm' });
    expect(document.activeElement).toBe(button);
    fireEvent.click(button);
    expect(await answer).toBe(true);
    expect(dialog()).toBeNull();
  });

  it('of something that cannot be undone has the focus on Cancel', async () => {
    let answer: Promise<boolean> = Promise.resolve(true);
    act(() => {
      answer = confirm({ message: 'Really?', confirmLabel: 'Delete', danger: true });
    });
    const cancel = screen.getByRole('button', { name: 'Cancel' });
    expect(document.activeElement).toBe(cancel);
    expect(screen.getByRole('button', { name: 'Delete' })).toBeTruthy();
    fireEvent.click(cancel);
    expect(await answer).toBe(false);
  });

  it('says no by Cancel, Escape and backdrop', async () => {
    const byCancel = ask();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await byCancel).toBe(false);
    const byEscape = ask();
    escape(dialog()!);
    expect(await byEscape).toBe(false);
    const byBackdrop = ask();
    pressBackdrop();
    expect(await byBackdrop).toBe(false);
  });

  it('gives the focus back', async () => {
    const button = document.body.appendChild(document.createElement('button'));
    button.focus();
    const answer = ask();
    expect(document.activeElement).not.toBe(button);
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await answer;
    expect(document.activeElement).toBe(button);
    button.remove();
  });
});

// Rule: UI-33
describe('toasts', () => {
  it('go after 3000 ms; errors stay and are alerts', () => {
    act(() => {
      toast({ type: 'success', message: 'Copied' });
      toast({ type: 'error', message: 'Failed' });
    });
    pass(3000);
    expect(screen.queryByText('Copied')).toBeNull();
    expect(screen.getByRole('alert').textContent).toContain('Failed');
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText('Failed')).toBeNull();
  });

  it('are not piled up with the same text', () => {
    act(() => {
      toast({ type: 'error', message: 'Failed' });
      toast({ type: 'error', message: 'Failed' });
    });
    expect(screen.getAllByText('Failed')).toHaveLength(1);
  });

  it.each([
    ['the pointer', fireEvent.pointerEnter, fireEvent.pointerLeave],
    ['the focus', fireEvent.focus, fireEvent.blur],
  ] as const)('stay while %s is on them, which does not count', (_what, come, go) => {
    act(() => void toast({ type: 'success', message: 'Copied' }));
    const shown = screen.getByText('Copied').parentElement!;
    const target = _what === 'the focus' ? screen.getByRole('button', { name: 'Dismiss' }) : shown;
    pass(2000);
    come(target);
    pass(60_000);
    go(target);
    pass(999);
    expect(screen.queryByText('Copied')).not.toBeNull();
    pass(1);
    expect(screen.queryByText('Copied')).toBeNull();
  });

  it('that offer an action stay longer, and go when it is taken', () => {
    const undo = jest.fn();
    const action = { label: 'Undo', run: undo };
    act(() => void toast({ type: 'info', message: 'Changes discarded', action }));
    pass(9999);
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(undo).toHaveBeenCalledTimes(1);
    expect(screen.queryByText('Changes discarded')).toBeNull();
    act(() => void toast({ type: 'info', message: 'Changes discarded', action }));
    pass(10_000);
    expect(screen.queryByText('Changes discarded')).toBeNull();
  });

  it('of an act that failed go when it succeeds, and no others', () => {
    act(() => {
      toast({ type: 'error', message: 'Post failed', act: 'post' });
      toast({ type: 'error', message: 'Like failed', act: 'like:1' });
      toast({ type: 'error', message: 'Something else' });
      toast({ type: 'success', message: 'Posted', act: 'post' });
    });
    expect(screen.queryByText('Post failed')).toBeNull();
    expect(screen.getByText('Posted')).toBeTruthy();
    act(() => succeeded('like:2'));
    expect(screen.getByText('Like failed')).toBeTruthy();
    act(() => succeeded('like:1'));
    expect(screen.queryByText('Like failed')).toBeNull();
    expect(screen.getByText('Something else')).toBeTruthy();
  });

  it('of an act take the place of what it has said before', () => {
    act(() => {
      toast({ type: 'success', message: 'Unsubscribed', act: 'subscribe:1' });
      toast({ type: 'success', message: 'Posted', act: 'post' });
      toast({ type: 'success', message: 'Goes on', act: 'subscribe:1' });
    });
    expect(screen.queryByText('Unsubscribed')).toBeNull();
    for (const text of ['Posted', 'Goes on']) expect(screen.getByText(text)).toBeTruthy();
  });

  it('are not shown beside a dialog with the same text', () => {
    const offline = { type: 'error', message: 'You seem to be offline' } as const;
    act(() => {
      toast(offline);
      notify(offline);
      toast(offline);
    });
    expect(screen.getAllByText('You seem to be offline')).toHaveLength(1);
    expect(dialog()).not.toBeNull();
  });
});

// Rule: UI-36
it('the notices are above a dialog that is opened after them', () => {
  const order: string[] = [];
  const { prototype } = HTMLElement;
  const said = (what: string) => () => void order.push(what);
  prototype.hidePopover = said('hide');
  prototype.showPopover = said('show') as typeof prototype.showPopover;
  const showModal = jest.spyOn(HTMLDialogElement.prototype, 'showModal').mockImplementation(said('dialog'));
  try {
    act(() => notify({ type: 'error', message: 'text' }));
    expect(order).toEqual(['dialog', 'hide', 'show']);
  } finally {
    showModal.mockRestore();
    Reflect.deleteProperty(prototype, 'hidePopover');
    Reflect.deleteProperty(prototype, 'showPopover');
  }
});

// Rule: UI-36
it('the notices are in the dialog that was opened last, where they can be pressed', () => {
  act(() => void toast({ type: 'info', message: 'below' }));
  const notices = () => screen.getByRole('region', { name: 'Notices' });
  act(() => void notify({ type: 'info', message: 'text' }));
  expect(dialog()!.contains(notices())).toBe(true);
  expect(screen.getByText('below')).toBeTruthy();
  escape(dialog()!);
  expect(dialog()).toBeNull();
  expect(notices().textContent).toContain('below');
});
