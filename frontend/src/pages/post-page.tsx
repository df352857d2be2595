import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { isNotFound } from '../server/http/api-error.js';
import type { Post } from '../api/types.js';
import { useDeletions } from '../components/feedback/deletions.js';
import { AUTO_CLOSE, toast } from '../components/feedback/feedback-store.js';
import { useListStart } from '../components/list-start.js';
import { CardSkeletons, LoadError } from '../components/states.js';
import { Title } from '../components/title.js';
import { usePeopleActions } from '../features/people/use-people-actions.js';
import { usePost } from '../features/posts/api/get-post.js';
import { PostCard } from '../features/posts/components/post-card.js';
import { usePostPageTexts } from '../features/posts/page-texts.js';
import { postPath } from '../features/posts/post-path.js';
import { usePostTexts } from '../features/posts/texts.js';
import { useCurrentUser } from '../server/session/session.js';
import { beginningOf } from '../text/beginning.js';
import { closedDirections } from '../text/closed-directions.js';
import { Column } from './parts/column.js';
import classes from './pages.module.css';
import { paywallOf } from '../features/subscriptions/components/paywall.js';

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

/** What fits into a tab and a line of the history, in characters as they are seen. */
const EXCERPT_LENGTH = 60;

/** "Ana: Five sets of …" (UI-54), as the gateway writes it, too; `anonymous` for a post whose text may not be read. */
export function titleOf({ author, content, truncated }: Post, anonymous: string): string {
  const text = content.replace(/\s+/g, ' ').trim();
  if (!text) return anonymous;
  const beginning = beginningOf(truncated ? `${text}…` : text, EXCERPT_LENGTH);
  return `${author.name}: ${closedDirections(beginning)}`;
}

export default function PostPage() {
  const texts = usePostTexts();
  const { page } = usePostPageTexts();
  const { postId = '' } = useParams();
  const viewer = useCurrentUser();
  const navigate = useNavigate();
  const query = usePost(postId);
  const isPart = useListStart() !== undefined;
  const post = query.data;

  // A post that is deleted here stays until the page is left.
  const [leaving, setLeaving] = useState<string>();
  const deleted = useDeletions().has(postId) && leaving !== postId;
  const missing = deleted || isNotFound(query.error);
  const failure = missing ? texts.post.notFoundToast : query.error && !post ? page.loadFailed : undefined;
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
      <Title address={missing ? undefined : postPath(postId)} isPart={isPart}>
        {texts.app.title(
          missing ? page.notFoundTitle : post ? titleOf(post, texts.post.by(post.author.name)) : page.title,
        )}
      </Title>
      <Button
        className={classes.back}
        variant="subtle"
        color="gray"
        leftSection={<IconArrowLeft size={18} aria-hidden />}
        onClick={back}
      >
        {page.back}
      </Button>
      {missing ? (
        <section className={`card ${classes.center}`}>
          <h1 className={classes.title}>{page.notFoundTitle}</h1>
          <p className={classes.muted}>{page.notFoundText}</p>
          <Button component={Link} to={home} variant="default">
            {viewer ? texts.app.backToFeed : texts.app.backHome}
          </Button>
        </section>
      ) : (
        <>
          <h1 className="visually-hidden">{post ? texts.post.by(post.author.name) : page.title}</h1>
          {post && (
            <PostCard
              post={post}
              detailed
              moreEntries={people.entries}
              onShowLikes={people.showLikes}
              paywall={paywallOf}
              onDelete={() => {
                setLeaving(post.id);
                void navigate(home, { replace: true });
              }}
            />
          )}
          {!post && query.isPending && <CardSkeletons count={1} />}
          {!post && query.isError && (
            <LoadError error={query.error} fallback={page.loadFailed} onRetry={() => void query.refetch()} />
          )}
        </>
      )}
      {people.dialog}
    </Column>
  );
}
