import { Button } from '@mantine/core';
import { IconUserCancel } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Me } from '../api/types.js';
import { Empty } from '../components/states.js';
import { UserListDialog } from '../features/people/components/user-list-dialog.js';
import { usePeopleMessages } from '../features/people/messages.js';
import { usePeopleActions } from '../features/people/use-people-actions.js';
import { useUserPosts } from '../features/posts/api/get-user-posts.js';
import { PostList } from '../features/posts/components/post-list.js';
import { OwnProfile } from '../features/profile/components/own-profile.js';
import { useProfileMessages } from '../features/profile/messages.js';
import { useCurrentUser } from '../session/session.js';
import { Column } from './column.js';
import classes from './pages.module.css';

export default function OwnProfilePage() {
  const viewer = useCurrentUser();
  return viewer ? <OwnProfileColumn viewer={viewer} /> : null;
}

function OwnProfileColumn({ viewer }: { viewer: Me }) {
  const { app, profile } = useProfileMessages();
  const { people } = usePeopleMessages();
  const [blocksOpen, setBlocksOpen] = useState(false);
  const query = useUserPosts(viewer.id);
  const actions = usePeopleActions();
  return (
    <Column>
      <title>{app.title(profile.title)}</title>
      <OwnProfile viewer={viewer} />
      <Button
        className={classes.back}
        variant="subtle"
        color="gray"
        leftSection={<IconUserCancel size={18} aria-hidden />}
        onClick={() => setBlocksOpen(true)}
      >
        {people.lists.blocks}
      </Button>
      {blocksOpen && (
        <UserListDialog
          list="blocks"
          userId={viewer.id}
          onClose={() => setBlocksOpen(false)}
          onUnblock={(user) => void actions.unblock(user)}
        />
      )}
      <h2 className={classes.section}>{profile.myPosts}</h2>
      <PostList
        label={profile.myPosts}
        query={query}
        moreItems={actions.items}
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
