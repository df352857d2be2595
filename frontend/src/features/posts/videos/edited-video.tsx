import { IconX } from '@tabler/icons-react';
import type { Post } from '../../../api/types.js';
import actions from '../actions.module.css';
import { Pictures } from '../pictures/pictures.js';
import { useVideoTexts } from './texts.js';
import classes from './videos.module.css';

/** The video of a post that is edited: it can be removed, and not replaced (UI-66, POST-5). */
export function EditedVideo({ post, onRemove }: { post: Post; onRemove: () => void }) {
  const { videos } = useVideoTexts();
  return (
    <section className={classes.edited} aria-label={videos.title}>
      <Pictures post={post} />
      <p className={classes.state}>{videos.cannotReplace}</p>
      <button type="button" className={`${actions.action} ${classes.outdented}`} onClick={onRemove}>
        <IconX size={18} aria-hidden /> {videos.removeVideo}
      </button>
    </section>
  );
}
