import { expect } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Me } from '../src/api/types.js';
import { clearFeedback, getFeedback } from '../src/components/feedback/feedback-store.js';
import SettingsPage from '../src/pages/settings-page.js';
import { session } from '../src/server/session/session.js';
import { DEFAULT_POLICY } from '../src/validation/account.js';
import { aMe, aSession } from './a-post.js';
import { fakeGateway } from './fake-gateway.js';
import { aPageAround } from './render.js';

export const BEN = 'ben@example.test';

/** The settings page before a gateway of one account, for one test. */
export class Settings {
  readonly gateway = fakeGateway();
  /** The bodies of what was asked for by "METHOD /path". */
  readonly sent: [route: string, body: unknown][] = [];
  private me = aMe();

  constructor() {
    this.gateway.on('GET /api/me', () => this.me);
    this.gateway.on('GET /api/auth/sessions', () => ({ items: [], nextCursor: null }));
    this.gateway.on('GET /api/auth/passkeys', () => ({ items: [], nextCursor: null }));
    this.gateway.on('GET /api/me/archive', () => ({ status: 'none' }));
    this.gateway.on('GET /api/me/import', () => ({ sourceUserId: null, posts: 0, comments: 0 }));
    this.gateway.on('GET /api/auth/password-policy', () => DEFAULT_POLICY);
  }

  /** Answers what `change` makes of the account, or the refusal that it returns. */
  answer(route: string, change: () => Response | Partial<Me> | undefined): void {
    this.gateway.on(route, async (request) => {
      const body: unknown = request.headers.get('content-type') ? await request.json() : undefined;
      this.sent.push([route, body]);
      const outcome = change();
      if (outcome instanceof Response) return outcome;
      this.me = { ...this.me, ...outcome };
      return outcome ? this.me : new Response(null, { status: 204 });
    });
  }

  async show(account: Partial<Me> = {}): Promise<void> {
    this.me = aMe({ email: BEN, emailVerified: true, ...account });
    act(() => session.signIn(aSession('token', { user: this.me })));
    render(<SettingsPage />, { wrapper: aPageAround({ path: '/settings' }).wrapper });
    await waitFor(() => expect(this.gateway.calls).toContain('GET /api/me'));
  }

  leave(): void {
    act(clearFeedback);
    cleanup();
    act(() => session.forceSignOut());
  }
}

export const section = (name: string) => within(screen.getByRole('region', { name }));
export const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
export const fill = (name: string, value: string) =>
  fireEvent.change(screen.getByLabelText(name), { target: { value } });
export const toasts = () => getFeedback().toasts.map(({ message }) => message);
export const told = (text: string) => waitFor(() => expect(toasts()).toContain(text));
