import { TextInput } from '@mantine/core';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { aPageAround } from '../../test/render.js';
import { ApiError } from '../server/http/api-error.js';
import { useCheckedForm } from './use-checked-form.js';

const send = jest.fn();
let refuse: (error: unknown) => boolean;
let rerender: () => void;

/** Two words of three letters or more, which must differ. */
function Words() {
  const form = useCheckedForm({
    name: 'words',
    initialValues: { first: '', second: '' },
    check: ({ first, second }) => ({
      first: first.length < 3 ? 'First is too short' : undefined,
      second: second.length < 3 ? 'Second is too short' : second === first ? 'Same word' : undefined,
    }),
  });
  const [round, setRound] = useState(0);
  useEffect(() => {
    refuse = form.refuse;
    rerender = () => setRound((count) => count + 1);
  });
  return (
    <form onSubmit={form.submit(send)} noValidate>
      <TextInput {...form.getInputProps('first')} label="First" />
      <TextInput {...form.getInputProps('second')} label="Second" />
      <button type="submit">Send</button>
      <output>{round}</output>
    </form>
  );
}

beforeEach(() => {
  send.mockReset();
  render(<Words />, { wrapper: aPageAround().wrapper });
});
let onTestEnd: (() => void) | undefined;
afterEach(() => {
  onTestEnd?.();
  onTestEnd = undefined;
  cleanup();
});

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const isMarked = (name: string) => field(name).getAttribute('aria-invalid') === 'true';
const press = () => userEvent.click(screen.getByRole('button', { name: 'Send' }));
const refusedBy = (...paths: string[]) =>
  new ApiError(
    422,
    'validation-failed',
    undefined,
    paths.map((path) => ({ path, code: 'refused', message: `The server refuses ${path}` })),
  );

it('shows an error when a changed field is left, not before', async () => {
  await userEvent.type(field('First'), 'a');
  expect(isMarked('First')).toBe(false);
  await userEvent.tab();
  expect(screen.getByText('First is too short')).toBeTruthy();
});

it('shows nothing at a field that was only passed through', async () => {
  await userEvent.click(field('First'));
  await userEvent.tab();
  expect(document.activeElement).toBe(field('Second'));
  expect(isMarked('First')).toBe(false);
});

it('waits for the end of a press before it moves the page', async () => {
  await userEvent.type(field('First'), 'a');
  fireEvent.pointerDown(screen.getByRole('button', { name: 'Send' }));
  act(() => field('Second').focus());
  expect(isMarked('First')).toBe(false);
  fireEvent.pointerUp(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(isMarked('First')).toBe(true));
});

it('shows every error on submit, focuses the first, and sends nothing', async () => {
  await press();
  expect([isMarked('First'), isMarked('Second')]).toEqual([true, true]);
  expect(document.activeElement).toBe(field('First'));
  expect(send).not.toHaveBeenCalled();
});

it('takes an error away as soon as the field is valid', async () => {
  await press();
  await userEvent.type(field('First'), 'on');
  expect(isMarked('First')).toBe(true);
  await userEvent.type(field('First'), 'e');
  expect(isMarked('First')).toBe(false);
});

it('follows a rule that looks at another field too', async () => {
  await userEvent.type(field('First'), 'one');
  await userEvent.type(field('Second'), 'one');
  await press();
  expect(screen.getByText('Same word')).toBeTruthy();
  await userEvent.type(field('First'), 's');
  expect(isMarked('Second')).toBe(false);
});

it('shows what the server refused at its field, until that field is changed', async () => {
  await userEvent.type(field('First'), 'one');
  await userEvent.type(field('Second'), 'two');
  await press();
  expect(send).toHaveBeenCalledTimes(1);
  act(() => expect(refuse(refusedBy('second.0'))).toBe(true));
  expect(screen.getByText('The server refuses second.0')).toBeTruthy();
  expect(document.activeElement).toBe(field('Second'));
  await userEvent.type(field('First'), 's');
  expect(isMarked('Second')).toBe(true);
  await userEvent.type(field('Second'), 's');
  expect(isMarked('Second')).toBe(false);
});

it('says so when the server names no field of the form', () => {
  act(() => expect(refuse(refusedBy('elsewhere'))).toBe(false));
  act(() => expect(refuse(new Error('no answer'))).toBe(false));
  expect([isMarked('First'), isMarked('Second')]).toEqual([false, false]);
});

it('has moved the focus once the error is shown, also when another change was rendered right before', async () => {
  const react = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
  react.IS_REACT_ACT_ENVIRONMENT = false;
  onTestEnd = () => (react.IS_REACT_ACT_ENVIRONMENT = true);
  // Between that change and what it leaves to be done later.
  const watch = new MutationObserver(() => {
    watch.disconnect();
    screen.getByRole('button', { name: 'Send' }).click();
  });
  watch.observe(screen.getByRole('status'), { subtree: true, characterData: true, childList: true });
  rerender();
  await screen.findByText('First is too short');
  expect(document.activeElement).toBe(field('First'));
});
