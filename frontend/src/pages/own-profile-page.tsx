import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { Me } from '../api/types.js';
import { Empty } from '../components/states.js';
import { Title } from '../components/title.js';
import { PayoutButtons } from '../features/payments/components/payment-buttons.js';
import { usePeopleActions } from '../features/people/use-people-actions.js';
import { useUserPosts } from '../features/posts/api/get-user-posts.js';
import { PostList } from '../features/posts/components/post-list.js';
import { OwnProfile } from '../features/profile/components/own-profile.js';
import { useProfileTexts } from '../features/profile/texts.js';
import { DashboardLink } from '../features/subscriptions/components/dashboard-link.js';
import { useCurrentUser } from '../server/session/session.js';
import { Column } from './parts/column.js';
import classes from './pages.module.css';

export default function OwnProfilePage() {
  const viewer = useCurrentUser();
  return viewer ? <OwnProfileColumn viewer={viewer} /> : null;
}

function OwnProfileColumn({ viewer }: { viewer: Me }) {
  const { app, nav, profile } = useProfileTexts();
  const query = useUserPosts(viewer.id);
  const actions = usePeopleActions();
  return (
    <Column>
      <Title>{app.title(profile.title)}</Title>
      <OwnProfile
        viewer={viewer}
        coachActions={(me) => (
          <>
            <DashboardLink coach={me} />
            <PayoutButtons coach={me} />
          </>
        )}
      />
      <section className={`card ${classes.row}`}>
        <h2 className={classes.rowTitle}>{nav.settings}</h2>
        <Button component={Link} to="/settings" variant="default">
          {profile.openSettings}
        </Button>
      </section>
      <h2 className={classes.section}>{profile.myPosts}</h2>
      <PostList
        label={profile.myPosts}
        query={query}
        moreEntries={actions.entries}
        onShowLikes={actions.showLikes}
        empty={
          <Empty
            action={
              <Button component={Link} to="/feed">
                {profile.createFirst}
              </Button>
            }
          >
            {profile.emptyOwn}
          </Empty>
        }
      />
      {actions.dialog}
    </Column>
  );
}
