import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { aMe, aSession } from '../../test/a-post.js';
import { fakeGateway } from '../../test/fake-gateway.js';
import { forgetDraft, keepDraft, keptDraft } from './drafts.js';
import { session } from '../server/session/session.js';

const signIn = (id: string) => session.signIn(aSession('token', { user: aMe({ id }) }));

beforeEach(() => {
  fakeGateway().on('POST /api/auth/logout', () => new Response(null, { status: 204 }));
  signIn('ben');
});
afterEach(async () => {
  jest.useRealTimers();
  await session.signOut();
});

// Rule: UI-41
describe('a draft', () => {
  it('comes back to the same user when the server has ended the session', () => {
    keepDraft('ben', 'post', 'half a post');
    session.forceSignOut();
    expect(keptDraft(undefined, 'post')).toBeUndefined();
    signIn('ben');
    expect(keptDraft('ben', 'post')).toBe('half a post');
  });

  it('is gone after a log-out', async () => {
    keepDraft('ben', 'post', 'half a post');
    await session.signOut();
    signIn('ben');
    expect(keptDraft('ben', 'post')).toBeUndefined();
  });

  it('is never shown to somebody else, and gone when they have signed in', () => {
    keepDraft('ben', 'post', 'half a post');
    session.forceSignOut();
    signIn('ana');
    expect(keptDraft('ana', 'post')).toBeUndefined();
    session.forceSignOut();
    signIn('ben');
    expect(keptDraft('ben', 'post')).toBeUndefined();
  });

  it('is taken from a call that fails after the session has ended, not from one after a log-out', async () => {
    session.forceSignOut();
    keepDraft('ben', 'comment:p1', 'came back late');
    expect(keptDraft('ben', 'comment:p1')).toBe('came back late');
    signIn('ben');
    await session.signOut();
    keepDraft('ben', 'comment:p1', 'came back too late');
    expect(keptDraft('ben', 'comment:p1')).toBeUndefined();
  });

  it('outlives what somebody who left before is still told', () => {
    signIn('ana');
    keepDraft('ana', 'post', 'half a post');
    session.forceSignOut();
    keepDraft('ben', 'comment:p1', 'came back too late');
    signIn('ana');
    expect(keptDraft('ana', 'post')).toBe('half a post');
  });
});

// Rule: UI-41
describe('closing the page', () => {
  const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

  it('asks as long as something is unsent', () => {
    expect(asks()).toBe(false);
    keepDraft('ben', 'post', { content: '', visibility: 'subscribers' }, { unsent: false });
    expect(asks()).toBe(false);
    keepDraft('ben', 'comment:p1', 'half a comment');
    expect(asks()).toBe(true);
    keepDraft('ben', 'comment:p1', undefined);
    expect(asks()).toBe(false);
    keepDraft('ben', 'comment:p2', 'on a post that is deleted');
    forgetDraft('comment:p2');
    expect(asks()).toBe(false);
  });

  it('asks on the login page too when the server has ended the session, not after a log-out', async () => {
    keepDraft('ben', 'post', 'half a post');
    session.forceSignOut();
    expect(asks()).toBe(true);
    signIn('ben');
    await session.signOut();
    expect(asks()).toBe(false);
  });
});

// Rule: UI-41
describe('a reload', () => {
  /** What another page of the same tab starts with: its modules anew, the tab's storage as it is. */
  async function afterReload() {
    jest.resetModules();
    fakeGateway().on('POST /api/auth/logout', () => new Response(null, { status: 204 }));
    const drafts = await import('./drafts.js');
    const { session: restored } = await import('../server/session/session.js');
    drafts.restoreDrafts();
    return { ...drafts, session: restored };
  }
  const asBen = aSession('token', { user: aMe({ id: 'ben' }) });

  it('leaves a draft to the same user, also once the server has ended the session', async () => {
    keepDraft('ben', 'post', { content: 'half a post', visibility: 'public' });
    session.forceSignOut();
    const page = await afterReload();
    expect(page.keptDraft('ben', 'post')).toEqual({ content: 'half a post', visibility: 'public' });
    page.session.signIn(asBen);
    expect(page.keptDraft('ben', 'post')).toEqual({ content: 'half a post', visibility: 'public' });
    page.keepDraft('ben', 'post', undefined);
    expect((await afterReload()).keptDraft('ben', 'post')).toBeUndefined();
  });

  it('leaves nothing to another user, and nothing behind', async () => {
    keepDraft('ben', 'post', 'half a post');
    const page = await afterReload();
    page.session.signIn(aSession('token', { user: aMe({ id: 'ana' }) }));
    expect(page.keptDraft('ben', 'post')).toBeUndefined();
    expect(sessionStorage.length).toBe(0);
  });

  it('leaves nothing after a log-out, also in a tab that was closed then and is opened again', async () => {
    jest.useFakeTimers({ now: 1000 });
    keepDraft('ben', 'post', 'half a post');
    const tab = sessionStorage.getItem('pulso.drafts')!;
    jest.setSystemTime(2000);
    await session.signOut();
    expect(sessionStorage.length).toBe(0);
    sessionStorage.setItem('pulso.drafts', tab);
    expect((await afterReload()).keptDraft('ben', 'post')).toBeUndefined();
    expect(sessionStorage.length).toBe(0);
  });

  it('leaves what is newest when there is too much to store', async () => {
    keepDraft('ben', 'edit:old', 'o'.repeat(120_000));
    keepDraft('ben', 'edit:new', 'n'.repeat(120_000));
    const page = await afterReload();
    expect(page.keptDraft('ben', 'edit:old')).toBeUndefined();
    expect(page.keptDraft('ben', 'edit:new')).toHaveLength(120_000);
  });

  it('does not bring back what was only on its way', async () => {
    keepDraft('ben', 'pending-1', 'being sent', { stored: false });
    expect((await afterReload()).keptDraft('ben', 'pending-1')).toBeUndefined();
  });
});
