import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { aConversation } from '../../test/a-conversation.js';
import { aMe, aProfile, aSession } from '../../test/a-post.js';
import { type FakeGateway, fakeGateway } from '../../test/fake-gateway.js';
import { client, unwrap } from '../server/client/client.js';
import { forgetEarlyAnswers } from '../server/client/early-answers.js';
import { beginFirstReads, endFirstReads } from '../server/session/first-reads.js';
import { session, viewerId } from '../server/session/session.js';

/** It fails, so that each import calls it. */
const loadMembers = jest.fn(() => {
  throw new TypeError('Failed to fetch dynamically imported module');
});
jest.unstable_mockModule('./shell/members.js', loadMembers);
// After the mock: it imports the module that is replaced.
const { beginPage } = await import('./begin-page.js');

let gateway: FakeGateway;

beforeEach(async () => {
  forgetEarlyAnswers();
  endFirstReads(undefined);
  gateway = fakeGateway();
  await session.boot(false);
});

const begin = (pathname: string, search = '') =>
  beginPage({ pathname, search }, false, Promise.resolve(undefined));

const profileOf = (id: string) => unwrap(client.GET('/api/users/{id}', { params: { path: { id } } }));

// Rule: UI-59
describe('a page load', () => {
  // The first test: those below leave such imports behind.
  it('brings what members have around each page for them, for the login and the sign-up, and no other page', async () => {
    for (const path of ['/', '/coaches', '/login']) begin(path);
    await waitFor(() => expect(loadMembers).toHaveBeenCalled());
    for (const path of ['/', '/signup', '/feed']) begin(path);
    await waitFor(() => expect(loadMembers.mock.calls.length).toBeGreaterThan(2));
    expect(loadMembers).toHaveBeenCalledTimes(3);
  });

  it('sends the calls of the page before its code is there, each once', async () => {
    gateway.on('GET /api/users/u1', () => aProfile({ id: 'u1' }));
    begin('/coaches/u1');
    await waitFor(() => expect(gateway.calls).toEqual(['GET /api/users/u1', 'GET /api/users/u1/posts']));
    expect((await profileOf('u1')).id).toBe('u1');
    expect(gateway.calls).toHaveLength(2);
  });

  it('uses an answer once: whoever asks again gets a new one', async () => {
    gateway.on('GET /api/users/u1', () => aProfile({ id: 'u1' }));
    begin('/profile/u1');
    await profileOf('u1');
    await profileOf('u1');
    expect(gateway.calls.filter((call) => call === 'GET /api/users/u1')).toHaveLength(2);
  });

  it('asks for the posts of a name as soon as it knows whose it is', async () => {
    gateway.on('GET /api/users/by-username/anna', () => aProfile({ id: 'u1' }));
    begin('/anna');
    await waitFor(() =>
      expect(gateway.calls).toEqual(['GET /api/users/by-username/anna', 'GET /api/users/u1/posts']),
    );
  });

  it('asks for the messages of a conversation that is in the list, and of no other', async () => {
    gateway.on('GET /api/conversations', () => ({ items: [aConversation()], nextCursor: null }));
    for (const other of ['ana', 'cem']) {
      beginPage({ pathname: '/messages', search: `?with=${other}` }, true, Promise.resolve('ben'));
      await unwrap(client.GET('/api/conversations', { params: { query: {} } }));
    }
    await waitFor(() =>
      expect(gateway.calls).toEqual([
        'GET /api/conversations',
        'GET /api/conversations/ana_ben/messages',
        'GET /api/conversations',
      ]),
    );
  });

  it('does not ask for posts where the reviews are open', async () => {
    gateway.on('GET /api/users/u1', () => aProfile({ id: 'u1' }));
    begin('/coaches/u1', '?tab=reviews');
    await profileOf('u1');
    expect(gateway.calls).toEqual(['GET /api/users/u1']);
  });

  it('forgets what is not used before something changes', async () => {
    gateway.on('GET /api/users/u1', () => aProfile({ id: 'u1' }));
    begin('/profile/u1');
    await waitFor(() => expect(gateway.calls).toHaveLength(2));
    await client.PUT('/api/users/{id}/follow', { params: { path: { id: 'u1' } } });
    await profileOf('u1');
    expect(gateway.calls.filter((call) => call === 'GET /api/users/u1')).toHaveLength(2);
  });

  it('is not shown to another viewer than it was sent for', async () => {
    gateway.on('GET /api/users/u1', () => aProfile({ id: 'u1' }));
    begin('/profile/u1');
    await waitFor(() => expect(gateway.calls).toHaveLength(2));
    // After the answers.
    await new Promise((resolve) => setTimeout(resolve));
    session.signIn(aSession('token'));
    await profileOf('u1');
    expect(gateway.calls.filter((call) => call === 'GET /api/users/u1')).toHaveLength(2);
    session.forceSignOut();
  });

  it('leaves a failure to the page', async () => {
    begin('/profile/u1');
    await expect(profileOf('u1')).rejects.toMatchObject({ status: 404 });
  });

  // Rule: ACCT-39
  describe('of a member', () => {
    /** What the refreshes were asked for. */
    let asked: string[];
    const feed = (page: string) => ({ items: [], nextCursor: page });
    const readFeed = () => unwrap(client.GET('/api/feed', { params: { query: {} } }));
    const begin = async (first: (path: string) => object | undefined, other?: string) => {
      const own = globalThis.fetch;
      asked = [];
      globalThis.fetch = async (input, init) => {
        if (!String(input).startsWith('/api/auth/refresh')) return own(input, init);
        const paths = new URL(String(input), location.origin).searchParams.getAll('first');
        asked.push(...paths);
        const came = paths.flatMap((path) => {
          const body = first(path);
          return body ? [{ path, body }] : [];
        });
        return Response.json({ ...aSession('token'), first: came });
      };
      session.forceSignOut();
      const viewer = Promise.resolve()
        .then(() => session.boot())
        .then(() => {
          if (other !== undefined) session.signIn(aSession('other', { user: aMe({ id: other }) }));
          return viewerId();
        });
      void viewer.then(endFirstReads);
      beginPage({ pathname: '/feed', search: '' }, true, viewer);
      await viewer;
    };
    beforeEach(() => {
      beginFirstReads();
      gateway.on('GET /api/feed', () => feed('by its own call'));
    });
    afterEach(() => session.forceSignOut());

    it('begins with what comes with the session', async () => {
      await begin((path) => feed(`with the refresh: ${path}`));
      expect((await readFeed()).nextCursor).toBe('with the refresh: /api/feed');
      expect([asked, gateway.calls]).toEqual([['/api/feed'], []]);
      expect((await readFeed()).nextCursor).toBe('by its own call');
    });

    it('asks for what did not come with it', async () => {
      await begin(() => undefined);
      expect((await readFeed()).nextCursor).toBe('by its own call');
      expect(gateway.calls).toEqual(['GET /api/feed']);
    });

    it('does not begin with what is for another user than the one whose session it is', async () => {
      await begin(() => feed('of the one before'), 'another');
      expect((await readFeed()).nextCursor).toBe('by its own call');
    });
  });

  it('asks for nothing where a visitor is led to the login', () => {
    begin('/feed');
    expect(gateway.calls).toEqual([]);
  });
});
