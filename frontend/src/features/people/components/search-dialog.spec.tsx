import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import { aProfile } from '../../../../test/a-post.js';
import { type FakeGateway, fakeGateway, problem } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { SearchDialog } from './search-dialog.js';

const ana = aProfile({ id: 'ana', name: 'Ana Torres', username: 'ana-torres' });
const anna = aProfile({ id: 'anna', name: 'Anna Berg', username: 'annaberg', isCoach: false });

let gateway: FakeGateway;
let asked: string[];
const onClose = jest.fn();

const answer = (items: unknown[], nextCursor: string | null = null) =>
  gateway.on('GET /api/people', ({ url }) => {
    asked.push(new URL(url).searchParams.get('q')!);
    return { items, nextCursor };
  });

beforeEach(() => {
  gateway = fakeGateway();
  asked = [];
  onClose.mockClear();
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(cleanup);

const At = () => <output aria-label="address">{useLocation().pathname}</output>;
const address = () => screen.getByLabelText('address').textContent;
const field = () => screen.getByRole('combobox', { name: 'Name or username' });
const active = () => document.getElementById(field().getAttribute('aria-activedescendant') ?? '-');

function open() {
  const dialog = (
    <>
      <SearchDialog onClose={onClose as () => void} />
      <At />
    </>
  );
  render(dialog, { wrapper: aPageAround({ path: '/feed' }).wrapper });
}

// Rule: UI-55
describe('the search', () => {
  it('asks for two letters, and does not count an @', async () => {
    answer([ana]);
    open();
    for (const text of ['a', '@a', ' é ']) {
      await userEvent.clear(field());
      await userEvent.type(field(), text);
      expect(screen.getByText('Type at least 2 letters of a name or username.')).toBeTruthy();
    }
    await userEvent.clear(field());
    await userEvent.type(field(), '@an');
    await screen.findByRole('option');
    expect(asked).toEqual(['an']);
  });

  it('says that a text is too long, cuts nothing and asks for nothing', async () => {
    open();
    fireEvent.change(field(), { target: { value: '💪'.repeat(101) } });
    expect(screen.getByText('Name or username must be at most 100 characters')).toBeTruthy();
    expect(screen.queryByText(/^Type at least/)).toBeNull();
    await userEvent.keyboard('{Enter}');
    expect((field() as HTMLInputElement).value).toBe('💪'.repeat(101));
    expect(gateway.calls).toEqual([]);
  });

  it('leaves the keys of an input method to it', async () => {
    answer([ana, anna]);
    open();
    await userEvent.type(field(), 'an');
    await screen.findAllByRole('option');
    fireEvent.keyDown(field(), { key: 'ArrowDown', keyCode: 229, isComposing: true });
    expect(active()).toBeNull();
    fireEvent.keyDown(field(), { key: 'Enter', keyCode: 229 });
    expect([address(), onClose.mock.calls.length]).toEqual(['/feed', 0]);
    fireEvent.keyDown(field(), { key: 'ArrowDown', keyCode: 40 });
    expect(active()).not.toBeNull();
  });

  it('shows picture, name, @username and badge, and leads there by a press', async () => {
    answer([ana, anna]);
    open();
    await userEvent.type(field(), 'an');
    const options = await screen.findAllByRole('option');
    expect(options.map(({ textContent }) => textContent)).toEqual([
      'Ana Torres@ana-torresCoach',
      'Anna Berg@annaberg',
    ]);
    expect(screen.getByText('2 people found')).toBeTruthy();
    await userEvent.click(options[1]!);
    expect([address(), onClose.mock.calls.length]).toEqual(['/annaberg', 1]);
  });

  it('moves with the arrow keys around the list, the focus stays in the field, and Enter opens', async () => {
    answer([ana, anna]);
    open();
    await userEvent.type(field(), 'an');
    const options = await screen.findAllByRole('option');
    expect([active(), field().getAttribute('aria-expanded')]).toEqual([null, 'true']);
    for (const [key, index] of [
      ['{ArrowDown}', 0],
      ['{ArrowDown}', 1],
      ['{ArrowDown}', 0],
      ['{ArrowUp}', 1],
    ] as const) {
      await userEvent.keyboard(key);
      expect(active()).toBe(options[index]);
      expect(options.map((option) => option.getAttribute('aria-selected'))).toEqual([
        String(index === 0),
        String(index === 1),
      ]);
    }
    expect(document.activeElement).toBe(field());
    await userEvent.keyboard('{Enter}');
    expect([address(), onClose.mock.calls.length]).toEqual(['/annaberg', 1]);
  });

  it('opens nobody of the results of an older text', async () => {
    answer([ana]);
    open();
    await userEvent.type(field(), 'ana');
    await screen.findByRole('option');
    answer([anna]);
    await userEvent.clear(field());
    await userEvent.type(field(), 'anna{ArrowDown}{Enter}');
    await screen.findByText('/annaberg');
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it('opens the first result when Enter comes before the results', async () => {
    answer([ana, anna]);
    open();
    // At once: a search starts where the typing pauses.
    await userEvent.click(field());
    await userEvent.paste('ana');
    await userEvent.keyboard('{Enter}');
    await screen.findByText('/ana-torres');
    expect(asked).toEqual(['ana']);
  });

  it('keeps the results while the next ones load, and does not open one of them by Enter', async () => {
    answer([ana]);
    open();
    await userEvent.type(field(), 'an');
    await screen.findByRole('option');
    let letThrough: ((answer: unknown) => void) | undefined;
    gateway.on('GET /api/people', () => new Promise((resolve) => (letThrough = resolve)));
    await userEvent.type(field(), 'n{Enter}');
    await waitFor(() => expect(letThrough).toBeDefined());
    expect(screen.getByRole('option').textContent).toContain('Ana Torres');
    expect(screen.getByRole('listbox').getAttribute('aria-busy')).toBe('true');
    expect(address()).toBe('/feed');
    letThrough?.({ items: [anna], nextCursor: null });
    await screen.findByText('/annaberg');
  });

  it('says when nobody is found, and leads on to the coaches', async () => {
    answer([]);
    open();
    await userEvent.type(field(), 'zzz');
    expect(await screen.findByText('Nobody found for “zzz”.')).toBeTruthy();
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(field().getAttribute('aria-expanded')).toBe('false');
    await userEvent.click(screen.getByRole('link', { name: 'Browse coaches' }));
    expect([address(), onClose.mock.calls.length]).toEqual(['/coaches', 1]);
  });

  it.each([
    [
      'a failure',
      () => problem(503, 'unavailable'),
      true,
      'Pulso is not answering right now. Please try again in a moment.',
    ],
    [
      'a missing network',
      () => Promise.reject(new TypeError('Failed to fetch')),
      false,
      'You seem to be offline. Please check your connection and try again.',
    ],
  ])('tells of %s, and can be retried', async (_, broken, onLine, text) => {
    jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(onLine);
    gateway.on('GET /api/people', broken);
    open();
    await userEvent.type(field(), 'ana');
    expect(await screen.findByText(text)).toBeTruthy();
    jest.restoreAllMocks();
    answer([ana]);
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('option')).toBeTruthy();
  });

  it('loads on by its button, and keeps the list when that fails', async () => {
    answer([ana], 'next');
    open();
    await userEvent.type(field(), 'an');
    await screen.findByText('More than 1 people found');
    gateway.on('GET /api/people', () => problem(400, 'invalid-cursor'));
    await userEvent.click(screen.getByRole('button', { name: 'Load more' }));
    await screen.findByText('This did not load.');
    expect(screen.getAllByRole('option')).toHaveLength(1);
    answer([anna]);
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('2 people found');
  });

  it('is closed by its button', async () => {
    open();
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(onClose).toHaveBeenCalledTimes(1);
  });
});
