import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import { aSession } from '../../../test/a-post.js';
import { fakeGateway } from '../../../test/fake-gateway.js';
import { aPageAround } from '../../../test/render.js';
import { clearFeedback } from '../../components/feedback/feedback-store.js';
import { session } from '../../server/session/session.js';

jest.unstable_mockModule('./members.js', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});
// After the mock: it imports the module that is replaced.
const { Shell } = await import('./shell.js');

function Page({ field }: { field: boolean }) {
  return (
    <>
      <output>{useLocation().pathname}</output>
      {field && <input aria-label="Search coaches" data-search />}
    </>
  );
}

const open = (field: boolean) =>
  render(
    <Shell>
      <Page field={field} />
    </Shell>,
    { wrapper: aPageAround({ path: '/post/p1' }).wrapper },
  );

beforeEach(() => {
  window.scrollTo = () => undefined;
  fakeGateway();
});
afterEach(() => {
  cleanup();
  document.cookie = 'pulso_member=; Max-Age=0';
  session.forceSignOut();
  clearFeedback();
});

// Rule: UI-45
describe('the key /', () => {
  // The first test: a session is restored once in a page.
  it('leads nowhere while the session of a member is restored', async () => {
    document.cookie = 'pulso_member=1';
    expect(session.getState().status).toBe('booting');
    open(false);
    await userEvent.keyboard('/');
    expect(screen.getByText('/post/p1')).toBeTruthy();
  });

  it('goes to the directory’s field also where the members’ code did not load', async () => {
    act(() => session.signIn(aSession('token')));
    open(true);
    await userEvent.keyboard('/');
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Search coaches' }));
  });

  it('leads a visitor to the directory', async () => {
    act(() => session.signIn(aSession('token')));
    act(() => session.forceSignOut());
    open(false);
    await userEvent.keyboard('/');
    expect(screen.getByText('/coaches')).toBeTruthy();
  });
});

// Rule: UI-49
it.each([
  ['/coaches', 'whole'],
  ['/coaches/', 'whole'],
  ['/Coaches', 'whole'],
  ['/coaches/c1', 'columns'],
  ['/', 'window'],
  ['/messages/', 'screen'],
])('the page at %s has the layout %s, as the router finds it', (path, layout) => {
  render(<Shell>page</Shell>, { wrapper: aPageAround({ path }).wrapper });
  expect(screen.getByRole('main').parentElement!.dataset['layout']).toBe(layout);
});
