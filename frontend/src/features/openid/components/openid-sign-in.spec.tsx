import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { session } from '../../../server/session/session.js';
import { OpenidSignIn } from './openid-sign-in.js';

/** What the provider's window tells this page. */
let tell: (told: { error?: string }) => void;
let opened: string[];
let boot: jest.SpiedFunction<typeof session.boot>;

beforeEach(() => {
  opened = [];
  jest.spyOn(globalThis, 'BroadcastChannel').mockImplementation((name) => {
    const channel = { name, onmessage: null, close() {} } as unknown as BroadcastChannel;
    tell = (data) => {
      act(() => void channel.onmessage!({ data } as MessageEvent));
    };
    return channel;
  });
  jest.spyOn(window, 'open').mockImplementation((url) => {
    opened.push(String(url));
    return window;
  });
  boot = jest.spyOn(session, 'boot').mockResolvedValue();
});
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
  history.replaceState(null, '', '/');
});

function show({ google = true, openidName = 'Google', form = 'log-in' as 'log-in' | 'sign-up' } = {}) {
  const { queryClient, wrapper } = aPageAround();
  fakeGateway().on('GET /api/config', () => ({ google, openidName }));
  render(<OpenidSignIn form={form} />, { wrapper });
  return queryClient;
}

const button = (name = 'Sign in with Google') => screen.findByRole('button', { name });
const said = () => screen.queryByRole('alert')?.textContent;

// Rule: UI-16
describe('the button of the provider', () => {
  it('has the name of the one that is set up', async () => {
    show({ openidName: 'Gym Account' });
    expect(await button('Sign in with Gym Account')).toBeTruthy();
  });

  // Rule: ACCT-30
  it('is not there without one', async () => {
    const queryClient = show({ google: false });
    await waitFor(() => expect(queryClient.getQueriesData({}).map(([, data]) => data)).toHaveLength(1));
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(screen.queryByRole('button')).toBeNull();
  });

  // Rule: ACCT-28
  it('opens a window, and takes the session that has begun there', async () => {
    show();
    await userEvent.click(await button());
    expect(opened).toEqual(['/api/auth/google/start?mode=popup']);
    expect(boot).not.toHaveBeenCalled();
    tell({});
    expect(boot).toHaveBeenCalledTimes(1);
  });

  it('opens another one where the user has closed the first', async () => {
    show();
    await userEvent.click(await button());
    await userEvent.click(await button());
    expect(opened).toHaveLength(2);
  });
});

// Rule: ACCT-29
describe('a failed sign-in', () => {
  it.each([
    ['log-in', 'invalid-credential', /^Failed to log in with Google\.$/],
    ['sign-up', 'invalid-credential', /^Failed to sign up with Google\.$/],
    ['log-in', 'internal', /^Failed to log in with Google\.$/],
    ['log-in', 'email-already-in-use', /^There is already an account with this email address/],
    ['log-in', 'sign-in-denied', /^The sign-in with Google was cancelled\.$/],
    ['log-in', 'user-disabled', /^This account has been disabled\.$/],
    ['log-in', 'unavailable', /^Google is not answering right now/],
    ['log-in', 'too-many-requests', /^Too many attempts/],
  ] as const)('says why: %s, %s', async (form, error, text) => {
    show({ form });
    await userEvent.click(await button());
    tell({ error });
    expect(said()).toMatch(text);
    expect(boot).not.toHaveBeenCalled();
    // Not beside the next one.
    await userEvent.click(await button());
    expect(said()).toBeUndefined();
  });

  it('of another tab is told there alone', async () => {
    show();
    await button();
    tell({ error: 'invalid-credential' });
    expect(said()).toBeUndefined();
  });

  // Rule: ACCT-28
  it('in this window is told by the address, which does not keep it', async () => {
    history.replaceState(null, '', '/login?error=email-already-in-use&x=1');
    show();
    await button();
    expect(said()).toMatch(/^There is already an account/);
    expect(location.pathname + location.search).toBe('/login?x=1');
  });
});
