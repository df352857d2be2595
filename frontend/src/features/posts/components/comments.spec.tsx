import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aComment, aMe, aPost } from '../../../../test/a-post.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { Comments } from './comments.js';

const mine = aComment({
  id: 'mine',
  content: 'My own',
  author: { ...aComment().author, id: 'ben', name: 'Ben' },
});
let gateway: FakeGateway;
let written: boolean;
beforeEach(() => {
  written = false;
  gateway = fakeGateway();
  gateway.on('GET /api/posts/p1/comments', ({ url }) => {
    const first = !new URL(url).searchParams.has('cursor');
    if (first) return { items: [aComment({ id: 'c1', content: 'First' })], nextCursor: 'more' };
    const rest = [aComment({ id: 'c2', content: 'Second' }), aComment({ id: 'c3', content: 'Third' })];
    return { items: written ? [...rest, mine] : rest, nextCursor: null };
  });
  gateway.on('POST /api/posts/p1/comments', () => {
    written = true;
    return Response.json(mine, { status: 201 });
  });
});
afterEach(cleanup);

const texts = () => screen.getAllByRole('listitem').map((item) => item.querySelector('p')?.textContent);

async function open(path?: string) {
  const { queryClient, wrapper } = aPageAround({ path });
  const page = (commentCount: number) => <Comments post={aPost({ commentCount })} viewer={aMe()} />;
  const { rerender } = render(page(3), { wrapper });
  await screen.findByText('First');
  return { queryClient, count: (comments: number) => rerender(page(comments)) };
}

const write = async () => {
  await userEvent.type(screen.getByRole('textbox'), 'My own');
  await userEvent.click(screen.getByRole('button', { name: 'Comment' }));
};

describe('a comment written before all are loaded', () => {
  // Rule: POST-22, POST-24
  it('stands below those in between, which say how many they are, and stays when the list is read again', async () => {
    const { queryClient, count } = await open();
    await write();
    count(4);
    const between = await screen.findByRole('button', { name: 'View the 2 comments in between' });
    expect(texts()).toEqual(['First', 'My own']);
    expect(between.compareDocumentPosition(screen.getByText('My own'))).toBe(
      Node.DOCUMENT_POSITION_FOLLOWING,
    );
    await act(() => queryClient.invalidateQueries({ queryKey: queryKeys.comments.ofPost('p1') }));
    expect(texts()).toEqual(['First', 'My own']);

    await waitFor(() => expect(written).toBe(true));
    await userEvent.click(between);
    await screen.findByText('Third');
    expect(texts()).toEqual(['First', 'Second', 'Third', 'My own']);
  });

  it('goes when it could not be sent', async () => {
    await open();
    gateway.on('POST /api/posts/p1/comments', () => problem(500, 'internal'));
    await write();
    await waitFor(() => expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('My own'));
    await waitFor(() => expect(texts()).toEqual(['First']));
  });
});

// Rule: UI-46
it('the first new comment has the focus after View more comments', async () => {
  await open();
  await userEvent.tab();
  const more = screen.getByRole('button', { name: 'View more comments' });
  more.focus();
  await userEvent.keyboard('{Enter}');
  await screen.findByText('Second');
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Second'));
});

// Rule: NOTIF-5
it('the comment that the address names has the focus, and the list is loaded as far as that', async () => {
  Element.prototype.scrollIntoView ??= () => undefined;
  const { queryClient } = await open('/post/p1#comment-c3');
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Third'));
  // Once: the reader may have gone on.
  screen.getByRole('textbox').focus();
  await act(() => queryClient.invalidateQueries({ queryKey: queryKeys.comments.ofPost('p1') }));
  expect(document.activeElement).toBe(screen.getByRole('textbox'));
});

// Rule: NOTIF-5
it('a comment that was written after the list was loaded is found, too', async () => {
  Element.prototype.scrollIntoView ??= () => undefined;
  const isThere = { yet: false };
  gateway.on('GET /api/posts/p1/comments', () => {
    const items = [aComment({ id: 'c1', content: 'First' })];
    if (isThere.yet) items.push(aComment({ id: 'c9', content: 'Later' }));
    isThere.yet = true;
    return { items, nextCursor: null };
  });
  await open('/post/p1#comment-c9');
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Later'));
});
