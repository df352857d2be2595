import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { useLocation } from 'react-router-dom';
import { aSession } from '../../../../test/a-post.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import ForgotPasswordPage from '../../../pages/forgot-password-page.js';
import ResetPasswordPage from '../../../pages/reset-password-page.js';
import VerifyEmailPage from '../../../pages/verify-email-page.js';
import { session } from '../../../server/session/session.js';
import { DEFAULT_POLICY } from '../../../validation/account.js';

const TOKEN = 'aB3_-'.repeat(8);
const noContent = () => new Response(null, { status: 204 });

let gateway: FakeGateway;
/** The bodies that were sent. */
let sent: unknown[];

function answer(route: string, response: () => Response) {
  gateway.on(route, async (request) => {
    sent.push(await request.json());
    return response();
  });
}

function Address() {
  const { pathname, search, state } = useLocation();
  return <output>{JSON.stringify({ address: pathname + search, state: state as unknown })}</output>;
}

function visit(Page: ComponentType, path: string) {
  render(
    <>
      <Address />
      <Page />
    </>,
    { wrapper: aPageAround({ path }).wrapper },
  );
}

beforeEach(() => {
  sent = [];
  gateway = fakeGateway();
  gateway.on('GET /api/auth/password-policy', () => DEFAULT_POLICY);
});
afterEach(() => {
  cleanup();
  act(() => session.forceSignOut());
});

const fill = (name: string, value: string) =>
  fireEvent.change(screen.getByLabelText(name), { target: { value } });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const linkTo = (name: string) => screen.getByRole('link', { name }).getAttribute('href');

// Rule: UI-74, ACCT-10
describe('a forgotten password', () => {
  const ROUTE = 'POST /api/auth/password/forgot';

  it('is told by its address, and the answer says nothing of whether there is an account', async () => {
    answer(ROUTE, () => new Response(null, { status: 202 }));
    visit(ForgotPasswordPage, '/forgot-password');
    expect(document.title).toBe('Forgot your password? · Pulso');
    fill('Email', ' ana@example.test ');
    await press('Send link');
    const told = await screen.findByText(
      'If ana@example.test has an account, a link is on its way. It works for one hour.',
    );
    expect(told.closest('[role=status]')).toBeTruthy();
    expect(sent).toEqual([{ email: 'ana@example.test' }]);
    expect(linkTo('Back to sign in')).toBe('/login');
    // It can be sent again.
    await press('Send link');
    await waitFor(() => expect(sent).toHaveLength(2));
  });

  it('needs an address', async () => {
    visit(ForgotPasswordPage, '/forgot-password');
    await press('Send link');
    expect(screen.getByText('Email is required')).toBeTruthy();
    fill('Email', 'ana');
    expect(screen.getByText('Please enter a valid email address')).toBeTruthy();
    expect(gateway.calls).toEqual([]);
  });

  it.each([
    [() => problem(429, 'too-many-requests'), 'Too many attempts. Please wait a moment and try again.'],
    [() => problem(500, 'internal'), 'The link could not be sent. Please try again.'],
  ])('that could not be told says so', async (response, text) => {
    answer(ROUTE, response);
    visit(ForgotPasswordPage, '/forgot-password');
    fill('Email', 'ana@example.test');
    await press('Send link');
    expect((await screen.findByRole('alert')).textContent).toBe(text);
  });
});

// Rule: UI-74, MAIL-3
describe('the token of a link', () => {
  it.each([
    ['/reset-password', ResetPasswordPage],
    ['/verify-email', VerifyEmailPage],
  ])('leaves the address of %s at once, and is there after a reload', (path, Page) => {
    visit(Page, `${path}?token=${TOKEN}`);
    const shown: unknown = JSON.parse(document.querySelector('output')!.textContent);
    expect(shown).toEqual({ address: path, state: { token: TOKEN } });
    expect(screen.queryByRole('alert')).toBeNull();
    expect(gateway.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
  });
});

// Rule: UI-74, ACCT-10
describe('the page that sets a new password', () => {
  const ROUTE = 'POST /api/auth/password/reset';
  const BAD_LINK = 'This link does not work any more. It works once, and for one hour.';
  const PATH = `/reset-password?token=${TOKEN}`;

  async function set(password: string, confirmation = password) {
    fill('New password', password);
    fill('Confirm password', confirmation);
    await press('Set password');
  }

  it('sets it, and leads to the login', async () => {
    answer(ROUTE, noContent);
    visit(ResetPasswordPage, PATH);
    await set('correct horse', 'another horse');
    expect(screen.getByText('Passwords do not match')).toBeTruthy();
    await set('correct horse');
    await screen.findByText(
      'Your password is set. You have been signed out on all devices. Your passkeys are removed for your safety: add them again in the settings.',
    );
    expect(sent).toEqual([{ token: TOKEN, password: 'correct horse' }]);
    expect(linkTo('Sign in')).toBe('/login');
    expect(document.activeElement).toBe(screen.getByRole('heading'));
  });

  it('signs this browser out where its session has ended', async () => {
    act(() => session.signIn(aSession('token')));
    answer(ROUTE, noContent);
    visit(ResetPasswordPage, PATH);
    await set('correct horse');
    // The fake gateway refuses each refresh.
    await waitFor(() => expect(session.getState()).toEqual({ status: 'signed-out', reason: 'ended' }));
    expect(linkTo('Sign in')).toBe('/login');
  });

  it('shows at the field what the server refuses of the password, and can go on', async () => {
    const errors = [{ path: 'password', code: 'common-password', message: 'Too common' }];
    answer(ROUTE, () => Response.json({ code: 'validation-failed', status: 400, errors }, { status: 400 }));
    visit(ResetPasswordPage, PATH);
    await set('password1');
    expect(await screen.findByText('This password is too common. Please choose another one.')).toBeTruthy();
    answer(ROUTE, noContent);
    await set('correct horse');
    expect(await screen.findByText(/^Your password is set/)).toBeTruthy();
  });

  it.each(['without a token', 'with a spent one'])('offers a new link %s', async (which) => {
    answer(ROUTE, () => problem(400, 'invalid-action-code'));
    const spent = which === 'with a spent one';
    visit(ResetPasswordPage, spent ? PATH : '/reset-password');
    if (spent) await set('correct horse');
    expect((await screen.findByRole('alert')).textContent).toBe(BAD_LINK);
    expect(linkTo('Get a new link')).toBe('/forgot-password');
    expect(screen.queryByLabelText('New password')).toBeNull();
    expect(sent).toHaveLength(spent ? 1 : 0);
  });
});

// Rule: UI-74, ACCT-27
describe('the page that verifies an address', () => {
  const ROUTE = 'POST /api/auth/email/verify';
  const PATH = `/verify-email?token=${TOKEN}`;

  it.each([
    ['a visitor', '/login'],
    ['a member', '/feed'],
  ])('verifies it by a press, not by itself, and leads %s on', async (who, path) => {
    if (who === 'a member') act(() => session.signIn(aSession('token')));
    answer(ROUTE, noContent);
    visit(VerifyEmailPage, PATH);
    expect(gateway.calls).toEqual([]);
    await press('Verify email address');
    await screen.findByText('Thank you. Your email address is verified.');
    expect(sent).toEqual([{ token: TOKEN }]);
    expect(linkTo('Go to Pulso')).toBe(path);
    expect(document.activeElement).toBe(screen.getByRole('heading'));
  });

  it.each(['without a token', 'with a spent one'])('says where there is a new link %s', async (which) => {
    answer(ROUTE, () => problem(400, 'invalid-action-code'));
    const spent = which === 'with a spent one';
    visit(VerifyEmailPage, spent ? PATH : '/verify-email');
    if (spent) await press('Verify email address');
    expect((await screen.findByRole('alert')).textContent).toMatch(/^This link does not work any more\./);
    expect(linkTo('Get a new link in your settings')).toBe('/settings');
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('can be tried again after a failure', async () => {
    answer(ROUTE, () => problem(500, 'internal'));
    visit(VerifyEmailPage, PATH);
    await press('Verify email address');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Your email address could not be verified. Please try again.',
    );
    answer(ROUTE, noContent);
    await press('Verify email address');
    expect(await screen.findByText(/^Thank you/)).toBeTruthy();
  });
});
