import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aComment, aMe, aPost } from '../../../../test/a-post.js';
import { fakeGateway, problem, refusal } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { FeedbackHost } from '../../../components/feedback/feedback-host.js';
import { clearFeedback } from '../../../components/feedback/feedback-store.js';
import { setCommentDraft } from '../drafts.js';
import { CommentBox } from './comment-box.js';

/** Requests in flight, oldest first; each waits for the test to answer it. */
let sent: { key: string | null; answer: (response: Response) => void }[];
beforeEach(() => {
  sent = [];
  fakeGateway().on(
    'POST /api/posts/p1/comments',
    (request) => new Promise((answer) => sent.push({ key: request.headers.get('Idempotency-Key'), answer })),
  );
});
afterEach(() => {
  act(() => {
    clearFeedback();
    setCommentDraft('ben', 'p1', '');
  });
  cleanup();
});

function aPage() {
  const { queryClient, wrapper } = aPageAround();
  const open = () =>
    render(
      <>
        <CommentBox postId="p1" viewer={aMe()} />
        <FeedbackHost />
      </>,
      { wrapper },
    );
  return { open, first: open(), queryClient };
}

const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Write a comment' });
const write = (text: string) => userEvent.type(box(), text);
const send = async () => {
  const before = sent.length;
  await userEvent.click(screen.getByRole('button', { name: 'Comment' }));
  await waitFor(() => expect(sent).toHaveLength(before + 1));
};
const fail = (at = 0) => act(async () => sent[at]?.answer(problem(500, 'internal')));
const FAILED = 'Your comment could not be sent. Please try again.';

// Rule: POST-24
describe('the comment box', () => {
  it('puts a comment that failed in front of the one being written', async () => {
    aPage();
    await write('A');
    await send();
    await write('B');
    await fail();
    await screen.findByText(FAILED);
    expect(box().value).toBe('A\nB');
  });

  it('says why the server refused a comment, at its field until it is changed', async () => {
    aPage();
    await write('A');
    await send();
    await act(async () => sent[0]?.answer(refusal('content', 'Contains characters that are not valid text')));
    await waitFor(() => expect(box().value).toBe('A'));
    expect(box().getAttribute('aria-invalid')).toBe('true');
    expect(screen.getAllByText('Contains characters that are not valid text')).toHaveLength(2);
    expect(screen.queryByText(FAILED)).toBeNull();
    await write('B');
    expect(box().getAttribute('aria-invalid')).not.toBe('true');
  });

  it('keeps what was being written when the page is left', async () => {
    const { open, first } = aPage();
    await write('half a comment');
    first.unmount();
    open();
    expect(box().value).toBe('half a comment');
  });

  it('has a comment again that failed after the page was left, and sends it as the same one', async () => {
    const { open, first } = aPage();
    await write('A');
    await send();
    first.unmount();
    await fail();
    open();
    await waitFor(() => expect(box().value).toBe('A'));
    await send();
    expect(sent[1]?.key).toBe(sent[0]?.key);
    await act(async () => sent[1]?.answer(Response.json(aComment(), { status: 201 })));
    expect(box().value).toBe('');
  });

  it('lets the browser ask before a comment on its way is lost', async () => {
    const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    aPage();
    await write('A');
    await send();
    expect(asks()).toBe(true);
    await act(async () => sent[0]?.answer(Response.json(aComment(), { status: 201 })));
    await waitFor(() => expect(asks()).toBe(false));
  });

  it('has the focus again after a press on its button', async () => {
    aPage();
    await write('A');
    await send();
    expect(document.activeElement).toBe(box());
    await act(async () => sent[0]?.answer(Response.json(aComment(), { status: 201 })));
  });

  // Rule: POST-25
  it('says that the post is gone, which leaves the lists, when it was deleted meanwhile', async () => {
    const { queryClient } = aPage();
    queryClient.setQueryData(queryKeys.pinnedPosts, [aPost(), aPost({ id: 'p2' })]);
    await write('A');
    await send();
    await act(async () => sent[0]?.answer(problem(404, 'not-found')));
    expect(await screen.findByText('Post not found')).toBeTruthy();
    expect(screen.queryByText(FAILED)).toBeNull();
    expect(queryClient.getQueryData(queryKeys.pinnedPosts)).toEqual([aPost({ id: 'p2' })]);
  });
});
