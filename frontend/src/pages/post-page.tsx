import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { isNotFound } from '../api/api-error.js';
import { AUTO_CLOSE, toast } from '../components/feedback/feedback-store.js';
import { CardSkeletons, LoadError } from '../components/states.js';
import { usePeopleActions } from '../features/people/use-people-actions.js';
import { usePost } from '../features/posts/api/get-post.js';
import { PostCard } from '../features/posts/components/post-card.js';
import { usePostMessages } from '../features/posts/messages.js';
import { useCurrentUser } from '../session/session.js';
import { Column } from './column.js';
import classes from './pages.module.css';

/**
 * Shows a toast, then goes to /feed (UI-24); until then the page shows its own text. Visitors have no feed and stay.
 */
function useLeaveOnFailure(failure: string | undefined, signedIn: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!failure) return;
    toast({ type: 'warning', message: failure });
    if (!signedIn) return;
    const timer = setTimeout(() => void navigate('/feed', { replace: true }), AUTO_CLOSE);
    return () => clearTimeout(timer);
  }, [failure, signedIn, navigate]);
}

export default function PostPage() {
  const { app, post: texts } = usePostMessages();
  const { postId = '' } = useParams();
  const viewer = useCurrentUser();
  const navigate = useNavigate();
  const query = usePost(postId);
  const post = query.data;

  const missing = isNotFound(query.error);
  const failure = missing ? texts.notFoundToast : query.error && !post ? texts.loadFailed : undefined;
  useLeaveOnFailure(failure, viewer !== undefined);

  const home = viewer ? '/feed' : '/';
  const people = usePeopleActions({
    onBlocked: (userId) => {
      if (userId === post?.author.id) void navigate(home, { replace: true });
    },
  });
  const back = () => {
    const { idx } = (history.state ?? {}) as { idx?: number };
    void (idx ? navigate(-1) : navigate(home));
  };

  return (
    <Column>
      <title>{app.title(missing ? texts.notFoundTitle : texts.pageTitle)}</title>
      <Button
        className={classes.back}
        variant="subtle"
        color="gray"
        leftSection={<IconArrowLeft size={18} aria-hidden />}
        onClick={back}
      >
        {texts.back}
      </Button>
      {missing ? (
        <section className={`card ${classes.center}`}>
          <h1 className={classes.title}>{texts.notFoundTitle}</h1>
          <p className={classes.muted}>{texts.notFoundText}</p>
          <Button component={Link} to={home}>
            {viewer ? app.backToFeed : app.backHome}
          </Button>
        </section>
      ) : (
        <>
          <h1 className="visually-hidden">{post ? texts.by(post.author.name) : texts.pageTitle}</h1>
          {post && (
            <PostCard
              post={post}
              detailed
              moreItems={people.items}
              onDelete={() => void navigate(home, { replace: true })}
            />
          )}
          {!post && query.isPending && <CardSkeletons count={1} />}
          {!post && query.isError && (
            <LoadError error={query.error} fallback={texts.loadFailed} onRetry={() => void query.refetch()} />
          )}
        </>
      )}
      {people.dialog}
    </Column>
  );
}
