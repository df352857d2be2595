import { Button } from '@mantine/core';
import { Suspense } from 'react';
import { ErrorBoundary } from '../components/error-boundary.js';
import { lazyComponent } from '../components/lazy-component.js';
import { PUBLISHER, reach, useArrival } from '../components/shortcuts/targets.js';
import { Empty } from '../components/states.js';
import { Title } from '../components/title.js';
import { useIdle } from '../components/use-idle.js';
import { usePeopleActions } from '../features/people/use-people-actions.js';
import { useFeed } from '../features/posts/api/get-feed.js';
import { PostList } from '../features/posts/components/post-list.js';
import { Publisher } from '../features/posts/components/publisher.js';
import { usePostTexts } from '../features/posts/texts.js';
import { useCurrentUser } from '../server/session/session.js';
import { Column } from './parts/column.js';
import classes from './pages.module.css';
import { paywallOf } from '../features/subscriptions/components/paywall.js';

// A feed that was read just now has no newer posts.
const NewerPosts = lazyComponent(() =>
  import('../features/posts/components/newer-posts.js').then((module) => module.NewerPosts),
);

export default function FeedPage() {
  const { app, feed } = usePostTexts();
  const viewer = useCurrentUser();
  const query = useFeed();
  const people = usePeopleActions();
  const idle = useIdle();
  useArrival(PUBLISHER);
  if (!viewer) return null;

  return (
    <Column>
      <Title>{app.title(feed.title)}</Title>
      <h1 className={classes.title}>{feed.title}</h1>
      <Publisher viewer={viewer} />
      <ErrorBoundary fallback={null}>
        <Suspense>
          {idle && query.posts && <NewerPosts shown={query.posts} readAt={query.dataUpdatedAt} />}
        </Suspense>
      </ErrorBoundary>
      <PostList
        label={feed.list}
        query={query}
        moreEntries={people.entries}
        onShowLikes={people.showLikes}
        paywall={paywallOf}
        empty={
          <Empty action={<Button onClick={() => reach(PUBLISHER)}>{feed.emptyAction}</Button>}>
            {feed.empty}
          </Empty>
        }
        end={<p className={classes.end}>{feed.end}</p>}
      />
      {people.dialog}
    </Column>
  );
}
