import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { Profiler } from 'react';
import { aPost } from '../../../../test/a-post.js';
import { fakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import type { Post } from '../../../api/types.js';
import { PostList } from './post-list.js';

afterEach(cleanup);

const POSTS = Array.from({ length: 5 }, (_, index) => aPost({ id: `p${index}` }));

/** How many posts stood there after each change, each number once in a row. */
function shown() {
  fakeGateway();
  const counts: number[] = [];
  const list = (posts: Post[] | undefined) => (
    <Profiler
      id="posts"
      onRender={() => {
        const count = document.querySelectorAll('[data-post]').length;
        if (counts.at(-1) !== count) counts.push(count);
      }}
    >
      <PostList
        label="Posts"
        query={{
          posts,
          data: posts,
          error: null,
          refetch: () => undefined,
          hasNextPage: false,
          isFetchingNextPage: false,
          isFetchNextPageError: false,
          fetchNextPage: () => undefined,
        }}
        empty="No posts"
        end="The end"
      />
    </Profiler>
  );
  return { counts, list };
}

// Rule: UI-59
it('of posts that come, the first two are shown before the others, and those that are there all at once', () => {
  const coming = shown();
  const { rerender, unmount } = render(coming.list(undefined), { wrapper: aPageAround().wrapper });
  rerender(coming.list(POSTS));
  expect(coming.counts).toEqual([0, 2, 5]);
  expect(screen.getByText('The end')).toBeTruthy();
  rerender(coming.list([...POSTS, aPost({ id: 'p9' })]));
  expect(coming.counts).toEqual([0, 2, 5, 6]);
  unmount();

  const back = shown();
  render(back.list(POSTS), { wrapper: aPageAround().wrapper });
  expect(back.counts).toEqual([5]);
});
