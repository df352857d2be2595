import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aReview, aSession } from '../../../../test/a-post.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import type { Review } from '../../../api/types.js';
import { FeedbackHost } from '../../../components/feedback/feedback-host.js';
import { clearFeedback } from '../../../components/feedback/feedback-store.js';
import { session } from '../../../server/session/session.js';
import { forgetReviewDraft } from '../review-draft.js';
import { Reviews } from './reviews.js';

const MINE = 'PUT /api/coaches/coach/reviews/mine';

let gateway: FakeGateway;
let mine: Review | null;
let sent: unknown[];
beforeEach(() => {
  gateway = fakeGateway();
  mine = null;
  sent = [];
  gateway.on('GET /api/coaches/coach/reviews', () => ({
    items: mine ? [mine] : [],
    nextCursor: null,
    summary: { averageRating: mine?.rating ?? 0, totalReviews: mine ? 1 : 0 },
    mine,
  }));
  gateway.on(MINE, async (request) => {
    const body = (await request.json()) as Pick<Review, 'rating' | 'comment'>;
    sent.push(body);
    mine = aReview(body);
    return Response.json(mine, { status: sent.length === 1 ? 201 : 200 });
  });
  act(() => session.signIn(aSession('token')));
});
afterEach(() => {
  act(() => {
    clearFeedback();
    forgetReviewDraft('ben', 'coach');
  });
  cleanup();
});

const button = (name: string) => screen.findByRole('button', { name });
const comment = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Your review' });

function open(isSelf = false) {
  render(
    <>
      <Reviews coachId="coach" isSelf={isSelf} />
      <FeedbackHost />
    </>,
    { wrapper: aPageAround().wrapper },
  );
}

// Rule: PEOPLE-33
describe('the review form', () => {
  it('is collapsed, opens with five stars, and adds', async () => {
    open();
    await userEvent.click(await button('Write a Review'));
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '5 stars' }).checked).toBe(true);
    await userEvent.click(screen.getByRole('radio', { name: '3 stars' }));
    await userEvent.type(comment(), '  Kept me going  ');
    await userEvent.click(await button('Submit Review'));
    await screen.findByText('Thank you for your review! It has been added successfully.');
    expect(sent).toEqual([{ rating: 3, comment: 'Kept me going' }]);
    expect(await button('Update Your Review')).toBeTruthy();
    expect(await screen.findByText('3.0')).toBeTruthy();
  });

  it('says Update and starts from the review there is', async () => {
    mine = aReview({ rating: 4, comment: 'Patient.' });
    sent.push('an earlier one');
    open();
    await userEvent.click(await button('Update Your Review'));
    expect(comment().value).toBe('Patient.');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '4 stars' }).checked).toBe(true);
    await userEvent.clear(comment());
    await userEvent.type(comment(), 'Patient and clear');
    await userEvent.click(await button('Update Review'));
    await screen.findByText('Your review has been updated successfully!');
    expect(sent.at(-1)).toEqual({ rating: 4, comment: 'Patient and clear' });
  });

  it('asks for a comment', async () => {
    open();
    await userEvent.click(await button('Write a Review'));
    await userEvent.type(comment(), '   ');
    await userEvent.click(await button('Submit Review'));
    expect(screen.getByText('Please write a comment for your review')).toBeTruthy();
    expect(gateway.calls).not.toContain(MINE);
  });

  it('keeps what was written when it fails', async () => {
    gateway.on(MINE, () => problem(500, 'internal'));
    open();
    await userEvent.click(await button('Write a Review'));
    await userEvent.type(comment(), 'Good');
    await userEvent.click(await button('Submit Review'));
    const dialog = await screen.findByRole('alertdialog', { name: 'Error' });
    expect(within(dialog).getByText('Failed to add review. Please try again.')).toBeTruthy();
    expect(comment().value).toBe('Good');
  });

  // Rule: UI-33
  it('tells in a notice that it failed where somebody writes something else meanwhile', async () => {
    let answer: ((response: Response) => void) | undefined;
    gateway.on(MINE, () => new Promise<Response>((resolve) => (answer = resolve)));
    open();
    const elsewhere = document.body.appendChild(document.createElement('textarea'));
    await userEvent.click(await button('Write a Review'));
    await userEvent.type(comment(), 'Good');
    await userEvent.click(await button('Submit Review'));
    await waitFor(() => expect(answer).toBeDefined());
    await userEvent.type(elsewhere, 'Ni');
    answer?.(problem(500, 'internal'));
    expect(await screen.findByText('Failed to add review. Please try again.')).toBeTruthy();
    await userEvent.keyboard('ce one');
    expect(elsewhere.value).toBe('Nice one');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    elsewhere.remove();
  });

  // Rule: UI-33
  it('tells in a notice that a deletion failed', async () => {
    mine = aReview({ rating: 4, comment: 'Patient.' });
    gateway.on(MINE.replace('PUT', 'DELETE'), () => problem(500, 'internal'));
    open();
    await userEvent.click(await button('Delete Review'));
    await userEvent.click(await button('Dismiss'));
    expect(await screen.findByText('Your review could not be deleted. Please try again.')).toBeTruthy();
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  // Rule: UI-56
  it('deletes the review when a new one is sent, not afterwards', async () => {
    mine = aReview({ rating: 4, comment: 'Patient.' });
    const route = MINE.replace('PUT', 'DELETE');
    gateway.on(route, () => {
      mine = null;
      return new Response(null, { status: 204 });
    });
    open();
    await userEvent.click(await button('Delete Review'));
    expect(screen.queryByRole('listitem')).toBeNull();
    expect(screen.getByText(/No reviews yet/)).toBeTruthy();
    await userEvent.click(await button('Write a Review'));
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: '5 stars' }));
    await userEvent.type(comment(), 'Better now');
    await userEvent.click(await button('Submit Review'));
    await screen.findByText('Thank you for your review! It has been added successfully.');
    expect(screen.queryByText('Your review has been deleted.')).toBeNull();
    expect(gateway.calls.filter((call) => call.includes('mine'))).toEqual([route, MINE]);
  });

  it('is not there for the coach', async () => {
    open(true);
    await waitFor(() => expect(screen.getByText(/No reviews yet/)).toBeTruthy());
    expect(screen.queryByRole('button', { name: /Review/ })).toBeNull();
  });
});
