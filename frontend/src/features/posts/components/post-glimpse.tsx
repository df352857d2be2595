import { IconHeartFilled, IconMessageCircle } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import type { Post } from '../../../api/types.js';
import { Avatar } from '../../../components/avatar.js';
import { PersonNames } from '../../../components/person-names.js';
import { TimeAgo } from '../../../components/time-ago.js';
import { collapseBlankLines } from '../../../components/written-text/written-text.js';
import { Pictures } from '../pictures/pictures.js';
import { postPath } from '../post-path.js';
import { usePostTexts } from '../texts.js';
import classes from './post-glimpse.module.css';

/** A post to look at, without its actions: for the landing page, which does not load their code. */
export function PostGlimpse({ post }: { post: Post }) {
  const texts = usePostTexts();
  const { author } = post;
  return (
    <article className={`card ${classes.post}`} aria-label={texts.post.by(author.name)}>
      <Avatar user={author} />
      <div className={classes.body}>
        <div className={classes.byline}>
          <PersonNames user={author} name={author.name} />
          {author.isCoach && <span className={classes.coach}>· {texts.account.coach} ·</span>}
          <Link to={postPath(post.id)} className={classes.time}>
            <TimeAgo time={post.createdAt} />
          </Link>
          {post.importedAt && <span className={classes.imported}>· {texts.post.imported}</span>}
        </div>
        {post.content && (
          <p dir="auto" className={classes.text}>
            {collapseBlankLines(post.content)}
          </p>
        )}
        <Pictures post={post} />
        <p className={classes.counts}>
          <span className={classes.count}>
            <IconHeartFilled size={20} className={classes.heart} aria-hidden />{' '}
            {texts.post.likes(post.likeCount)}
          </span>
          {post.commentCount > 0 && (
            <span className={classes.count}>
              <IconMessageCircle size={20} aria-hidden /> {texts.post.comments(post.commentCount)}
            </span>
          )}
        </p>
      </div>
    </article>
  );
}
