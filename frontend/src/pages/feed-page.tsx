import { Button } from '@mantine/core';
import { PUBLISHER, reach, useArrival } from '../components/shortcuts/targets.js';
import { Empty } from '../components/states.js';
import { Title } from '../components/title.js';
import { usePeopleActions } from '../features/people/use-people-actions.js';
import { useFeed } from '../features/posts/api/get-feed.js';
import { NewerPosts } from '../features/posts/components/newer-posts.js';
import { PostList } from '../features/posts/components/post-list.js';
import { Publisher } from '../features/posts/components/publisher.js';
import { usePostTexts } from '../features/posts/texts.js';
import { useCurrentUser } from '../server/session/session.js';
import { Column } from './parts/column.js';
import classes from './pages.module.css';
import { paywallOf } from '../features/subscriptions/components/paywall.js';

export default function FeedPage() {
  const { app, feed } = usePostTexts();
  const viewer = useCurrentUser();
  const query = useFeed();
  const people = usePeopleActions();
  useArrival(PUBLISHER);
  if (!viewer) return null;

  return (
    <Column>
      <Title>{app.title(feed.title)}</Title>
      <h1 className={classes.title}>{feed.title}</h1>
      <Publisher viewer={viewer} />
      {query.posts && <NewerPosts shown={query.posts} readAt={query.dataUpdatedAt} />}
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
