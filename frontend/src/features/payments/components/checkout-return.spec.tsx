import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useIsMutating } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import { aProfile, aSession } from '../../../../test/a-post.js';
import { aSubscription } from '../../../../test/a-subscription.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { emitLive } from '../../../server/live/live-events.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { session } from '../../../server/session/session.js';
import { changeKey } from '../../../shared/subscribing/change-subscription.js';
import { forgetCheckout, hasNotedCheckout, noteCheckout } from '../../../shared/subscribing/checkout-note.js';
import { CHANGED } from '../../../shared/subscribing/subscription-list.js';
import type { Profile } from '../../../api/types.js';
import { CheckoutReturn } from './checkout-return.js';

const PUT = 'PUT /api/subscriptions/coach';
const GET = 'GET /api/users/coach';
const { viewer } = aProfile();
const cleo = (subscribed: boolean) => aProfile({ name: 'Cleo', viewer: { ...viewer!, subscribed } });

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
  act(() => session.signIn(aSession('token')));
});
afterEach(() => {
  cleanup();
  act(() => session.forceSignOut());
  act(clearFeedback);
  forgetCheckout();
  localStorage.removeItem(CHANGED);
});

function arrive(address: string) {
  const { queryClient, wrapper } = aPageAround({ path: address });
  queryClient.setQueryData(queryKeys.profiles.byId('coach'), cleo(false));
  function Page() {
    const { pathname, search } = useLocation();
    const busy = useIsMutating({ mutationKey: changeKey('coach') }) > 0;
    return (
      <>
        <p>{`at ${pathname}${search}`}</p>
        <p>{busy ? 'busy' : 'free'}</p>
      </>
    );
  }
  render(
    <>
      <Page />
      <CheckoutReturn />
    </>,
    { wrapper },
  );
  return () => queryClient.getQueryData<Profile>(queryKeys.profiles.byId('coach'))?.viewer?.subscribed;
}
const DONE = '/cleo?tab=reviews&checkout=done&coach=coach';
const told = () => getFeedback().toasts.map(({ message }) => message);
const SUCCESS = 'You are now subscribed to Cleo!';

// Rule: SUBS-14
describe('back from the provider’s page', () => {
  it('the viewer is subscribed once billing says so, and the address tells nothing any more', async () => {
    noteCheckout('coach');
    let paid = false;
    gateway.on(PUT, () => (paid ? aSubscription({ coach: cleo(true) }) : problem(402, 'payment-required')));
    const isSubscribed = arrive(DONE);
    expect(await screen.findByText('at /cleo?tab=reviews')).toBeTruthy();
    expect(await screen.findByRole('dialog', { name: 'Confirming your payment' })).toBeTruthy();
    expect(screen.getByText('busy')).toBeTruthy();
    expect([told(), isSubscribed()]).toEqual([[], false]);
    paid = true;
    await waitFor(() => expect(told()).toEqual([SUCCESS]));
    expect(isSubscribed()).toBe(true);
    await screen.findByText('free');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(hasNotedCheckout('coach')).toBe(false);
    expect(localStorage.getItem(CHANGED)).not.toBeNull();
  });

  it('the stream of events may tell it first', async () => {
    noteCheckout('coach');
    gateway.on(PUT, () => new Promise(() => undefined));
    const isSubscribed = arrive(DONE);
    await screen.findByText('busy');
    act(() =>
      emitLive({ type: 'subscription', data: aSubscription({ coach: aProfile({ id: 'another' }) }) }),
    );
    act(() => emitLive({ type: 'subscription', data: aSubscription({ coach: cleo(false) }) }));
    expect(told()).toEqual([]);
    act(() => emitLive({ type: 'subscription', data: aSubscription({ coach: cleo(true) }) }));
    await waitFor(() => expect(told()).toEqual([SUCCESS]));
    expect(isSubscribed()).toBe(true);
  });

  it('it is seen, too, where billing does not take the call', async () => {
    noteCheckout('coach');
    gateway.on(PUT, () => problem(429, 'too-many-requests'));
    gateway.on(GET, () => cleo(true));
    arrive(DONE);
    await waitFor(() => expect(told()).toEqual([SUCCESS]));
  });

  it('the wait can be put away, and goes on', async () => {
    noteCheckout('coach');
    gateway.on(PUT, () => problem(402, 'payment-required'));
    arrive(DONE);
    await screen.findByRole('dialog', { name: 'Confirming your payment' });
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    gateway.on(PUT, () => aSubscription({ coach: cleo(true) }));
    await waitFor(() => expect(told()).toEqual([SUCCESS]));
  });

  it('says after a while that the payment is not confirmed, and looks again at a press', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      noteCheckout('coach');
      gateway.on(PUT, () => problem(402, 'payment-required'));
      arrive(DONE);
      await act(() => jest.advanceTimersByTimeAsync(60_000));
      expect(screen.getByRole('alertdialog', { name: 'Your payment' })).toBeTruthy();
      expect(screen.getByText(/^Your payment is not confirmed yet\. /)).toBeTruthy();
      expect([told(), screen.getByText('free').textContent]).toEqual([[], 'free']);
      const looks = gateway.calls.length;
      const button = screen.getByRole('button', { name: 'Check again' });
      expect(document.activeElement).toBe(button);
      gateway.on(PUT, () => aSubscription({ coach: cleo(true) }));
      fireEvent.click(button);
      await act(() => jest.advanceTimersByTimeAsync(1_000));
      expect([told(), gateway.calls.length]).toEqual([[SUCCESS], looks + 1]);
      expect(screen.queryByRole('alertdialog')).toBeNull();
    } finally {
      jest.useRealTimers();
    }
  });

  it('an address that this tab has not led to subscribes nobody: it only looks', async () => {
    gateway.on(GET, () => cleo(true));
    arrive(DONE);
    await waitFor(() => expect(told()).toEqual([SUCCESS]));
    expect(gateway.calls).not.toContain(PUT);
  });

  it('nor does one that another user of this tab has gone to', async () => {
    noteCheckout('coach');
    act(() => session.forceSignOut());
    const other = aSession('token');
    act(() => session.signIn({ ...other, user: { ...other.user, id: 'somebody-else' } }));
    gateway.on(GET, () => cleo(true));
    arrive(DONE);
    await waitFor(() => expect(told()).toEqual([SUCCESS]));
    expect(gateway.calls).not.toContain(PUT);
  });
});

// Rule: SUBS-14
describe('a checkout that was left', () => {
  it('is told, and nothing is asked', async () => {
    noteCheckout('coach');
    arrive('/cleo?checkout=cancelled&coach=coach');
    expect(await screen.findByText('at /cleo')).toBeTruthy();
    expect(told()).toEqual(['You left the payment page. You have not been charged.']);
    expect([gateway.calls, hasNotedCheckout('coach')]).toEqual([[], false]);
  });

  it('is not, where this tab has not led there', async () => {
    arrive('/cleo?checkout=cancelled&coach=coach');
    expect(await screen.findByText('at /cleo')).toBeTruthy();
    expect(told()).toEqual([]);
  });
});
