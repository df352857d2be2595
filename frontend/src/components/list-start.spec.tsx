import { afterEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { aSession } from '../../test/a-post.js';
import { fakeGateway } from '../../test/fake-gateway.js';
import { aPageAround } from '../../test/render.js';
import { session } from '../server/session/session.js';
import { NextPart, ToListStart, useListStart } from './list-start.js';

afterEach(async () => {
  fakeGateway().on('POST /api/auth/logout', () => new Response(null, { status: 204 }));
  await act(() => session.signOut());
  cleanup();
});

function List({ cursor }: { cursor: string | null | undefined }) {
  return (
    <>
      <output>{useListStart() ?? 'the beginning'}</output>
      <ToListStart />
      <NextPart label="Load more" cursor={cursor} />
    </>
  );
}

function open(path: string, cursor: string | null | undefined) {
  render(<List cursor={cursor} />, { wrapper: aPageAround({ path }).wrapper });
  const links = screen.queryAllByRole('link', { hidden: true });
  return {
    begins: screen.getByRole('status').textContent,
    links: links.map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('rel')]),
  };
}

// Rule: UI-70, HTTP-42
describe('a list whose address tells where it begins', () => {
  it('begins there for visitors, with ways to its beginning and to what comes next', async () => {
    await session.boot(false);
    expect(open('/coaches?q=a%20b&after=k1.one', 'k1.two')).toEqual({
      begins: 'k1.one',
      links: [
        ['From the beginning', '/coaches?q=a+b', null],
        ['Load more', '/coaches?q=a+b&after=k1.two', 'next'],
      ],
    });
  });

  it.each([null, undefined])('has no way to a next part that is %s', async (cursor) => {
    await session.boot(false);
    expect(open('/ana?tab=reviews&after=', cursor)).toEqual({ begins: 'the beginning', links: [] });
  });

  it('begins at its beginning for members, whose cursors are others', () => {
    act(() => session.signIn(aSession('token')));
    expect(open('/coaches?after=k1.one', 'k1.two')).toEqual({ begins: 'the beginning', links: [] });
  });
});
