import { Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { notifyManager } from '@tanstack/react-query';
import { errorText } from '../../../server/http/api-error.js';
import type { Post } from '../../../api/types.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { useRevisit } from '../../../components/use-revisit.js';
import { useNewerPosts } from '../api/get-newer-posts.js';
import { usePostTexts } from '../texts.js';
import classes from './newer-posts.module.css';

interface NewerPostsProps {
  shown: Post[];
  /** When they were read, in ms. */
  readAt: number;
}

const focusFirst = () => document.querySelector<HTMLElement>('[data-post]')?.focus({ preventScroll: true });

/** Announces newer posts over the feed, which does not move. They come by a press, or when Feed is chosen again. */
export function NewerPosts({ shown, readAt }: NewerPostsProps) {
  const texts = usePostTexts();
  const { newer, refresh } = useNewerPosts(shown, readAt);

  const show = async (focus: boolean) => {
    window.scrollTo(0, 0);
    try {
      await refresh();
    } catch (error) {
      return toast({ type: 'error', message: errorText(error, texts.app.loadFailed, texts) });
    }
    // Behind the queries' own notices, by which the posts are rendered.
    if (focus) notifyManager.schedule(focusFirst);
  };
  useRevisit(() => void show(false));

  return (
    <div className={classes.region} role="status">
      {newer && (
        <Button
          className={classes.pill}
          leftSection={<IconArrowUp size={18} aria-hidden />}
          onClick={() => void show(true)}
        >
          {texts.feed.newer}
        </Button>
      )}
    </div>
  );
}
