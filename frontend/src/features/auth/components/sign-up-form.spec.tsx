import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { DEFAULT_POLICY } from '../../../validation/account.js';
import { SignUpForm } from './sign-up-form.js';

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
  gateway.on('GET /api/auth/password-policy', () => DEFAULT_POLICY);
  render(<SignUpForm />, { wrapper: aPageAround().wrapper });
});
afterEach(cleanup);

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);

/** At once: each typed key renders the whole form. */
const fill = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });

async function submit(password: string, confirmation = password) {
  fill('Name', 'Ana');
  fill('Username', 'ana');
  fill('Email', 'ana@example.test');
  fill('Password', password);
  fill('Confirm password', confirmation);
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
}

async function expectRefused(name: string, text: string) {
  await waitFor(() => expect(document.activeElement).toBe(field(name)));
  expect(field(name).getAttribute('aria-invalid')).toBe('true');
  const described = field(name).getAttribute('aria-describedby') ?? '';
  expect(described.split(' ').map((id) => document.getElementById(id)?.textContent)).toContain(text);
}

// Rule: ACCT-3, UI-15
describe('a refused password', () => {
  it('that is too short is marked and has the focus', async () => {
    await submit('short');
    await expectRefused('Password', 'Password must be at least 6 characters');
  });

  // Rule: ACCT-7
  it.each([
    [{ requireLowercase: true }, 'CORRECT HORSE', 'Password must contain a lowercase letter'],
    [{ requireUppercase: true }, 'correct horse', 'Password must contain an uppercase letter'],
    [{ requireNumeric: true }, 'correct horse', 'Password must contain a number'],
    [{ requireNonAlphanumeric: true }, 'correcthorse', 'Password must contain a special character'],
    [{ maxLength: 8 }, 'correct horse', 'Password must be at most 8 characters'],
  ])('that breaks the server’s policy %j is marked and has the focus', async (policy, password, text) => {
    cleanup();
    const answered = new Promise<void>((resolve) => {
      gateway.on('GET /api/auth/password-policy', () => {
        resolve();
        return { ...DEFAULT_POLICY, ...policy };
      });
    });
    render(<SignUpForm />, { wrapper: aPageAround().wrapper });
    await answered;
    await submit(password);
    await expectRefused('Password', text);
  });

  it('that the confirmation differs from is marked there', async () => {
    await submit('correct horse', 'another horse');
    await expectRefused('Confirm password', 'Passwords do not match');
  });

  it('that the server finds too common is marked and has the focus', async () => {
    gateway.on('POST /api/auth/signup', async () => {
      const body = (await problem(422, 'validation-failed').json()) as object;
      const errors = [{ path: 'password', code: 'common-password', message: 'Too common' }];
      return new Response(JSON.stringify({ ...body, errors }), { status: 422 });
    });
    await submit('password1');
    await expectRefused('Password', 'This password is too common. Please choose another one.');
    expect(screen.queryByRole('alert')).toBeNull();
    // What no field can tell is told of the whole form.
    gateway.on('POST /api/auth/signup', () => problem(500, 'internal'));
    await submit('correct horse');
    const banner = await screen.findByRole('alert');
    expect(banner.textContent).toBe('Failed to create an account. Please try again.');
  });
});

describe('the eye of a password', () => {
  it('is reached by Tab, pressed by Enter, and says what it does', async () => {
    await userEvent.click(field('Password'));
    await userEvent.tab();
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Show password');
    await userEvent.keyboard('{Enter}');
    expect(field('Password').type).toBe('text');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Hide password');
    await userEvent.keyboard('{Enter}');
    expect(field('Password').type).toBe('password');
  });
});

// Rule: UI-15
it('a username is suggested from the name, as long as none is written, and says which letters it may have', async () => {
  await userEvent.type(field('Name'), 'José García');
  await userEvent.click(screen.getByRole('button', { name: 'Use “jose-garcia”' }));
  expect(field('Username').value).toBe('jose-garcia');
  expect(document.activeElement).toBe(field('Username'));
  expect(screen.queryByRole('button', { name: /^Use/ })).toBeNull();
  await userEvent.clear(field('Username'));
  await userEvent.type(field('Username'), 'Ünï');
  await userEvent.tab();
  expect(screen.getByText('Use 3 to 30 of a–z, 0–9 and inner dashes')).toBeTruthy();
});
