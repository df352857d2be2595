import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { LoginForm } from './login-form.js';

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
});
afterEach(cleanup);

async function refusedWith(answer: () => Response): Promise<string | null> {
  gateway.on('POST /api/auth/login', answer);
  render(<LoginForm signedOutByServer={false} />, { wrapper: aPageAround().wrapper });
  // At once: each typed key renders the form.
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'ana@example.test' } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'correct horse' } });
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  return (await screen.findByRole('alert')).textContent;
}

const noAnswer = (): Response => {
  throw new TypeError('Failed to fetch');
};

// Rule: ACCT-12
describe('a failed login', () => {
  it.each([
    [
      'bad credentials',
      () => problem(401, 'invalid-credential'),
      /^Failed to log in\. Please check your cred/,
    ],
    ['a disabled account', () => problem(403, 'user-disabled'), /^This account has been disabled/],
    ['a server in trouble', () => problem(500, 'internal'), /^Pulso is not answering right now/],
    ['no answer', noAnswer, /^Pulso is not answering right now/],
  ])('says what is wrong: %s', async (_case, answer, text) => {
    expect(await refusedWith(answer)).toMatch(text);
  });
});

// Rule: UI-14
describe('the login form', () => {
  it('has two fields, both required, and says that it is busy', async () => {
    let answer: ((response: Response) => void) | undefined;
    gateway.on('POST /api/auth/login', () => new Promise((resolve) => (answer = resolve)));
    render(<LoginForm signedOutByServer={false} />, { wrapper: aPageAround().wrapper });
    expect(screen.getByLabelText<HTMLInputElement>('Email').type).toBe('email');
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByText('Email is required')).toBeTruthy();
    expect(screen.getByText('Password is required')).toBeTruthy();
    expect(gateway.calls).toEqual([]);

    await userEvent.type(screen.getByLabelText('Email'), 'ana@example.test');
    await userEvent.type(screen.getByLabelText('Password'), 'correct horse');
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByRole('button', { name: 'Signing in...' })).toBeTruthy();
    await waitFor(() => expect(answer).toBeDefined());
    answer?.(problem(401, 'invalid-credential'));
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeTruthy();
  });
});

// Rule: UI-14, UI-74
it('leads who has forgotten the password to another one', () => {
  render(<LoginForm signedOutByServer={false} />, { wrapper: aPageAround().wrapper });
  const link = screen.getByRole('link', { name: 'Forgot your password?' });
  expect(link.getAttribute('href')).toBe('/forgot-password');
});
