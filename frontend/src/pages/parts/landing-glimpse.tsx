import { EVERY_COACH, useCoaches } from '../../shared/coaches.js';
import { CardSkeletons } from '../../components/states.js';
import { CoachCard } from '../../features/directory/components/coach-card.js';
import { useLandingTexts } from '../../features/landing/texts.js';
import { useUserPosts } from '../../features/posts/api/get-user-posts.js';
import { PostGlimpse } from '../../features/posts/components/post-glimpse.js';
import classes from '../landing-page.module.css';

const SHOWN_COACHES = 3;

/** What is inside (UI-11): the first coaches of the directory, and the latest public post of the first who has one. */
export function Glimpse() {
  const { landing } = useLandingTexts();
  const { coaches, isPending } = useCoaches(EVERY_COACH);
  const first = coaches?.slice(0, SHOWN_COACHES);
  if (isPending) return <CardSkeletons />;
  // Nobody yet, or no answer: the page does without.
  if (!first?.length) return null;
  const author = first.find(({ stats }) => stats.posts !== 0);
  return (
    <section className={classes.parts} aria-labelledby="glimpse">
      <h2 id="glimpse" className={classes.title}>
        {landing.glimpseTitle}
      </h2>
      <ul className={classes.coaches} aria-label={landing.glimpseCoaches}>
        {first.map((coach) => (
          <CoachCard key={coach.id} coach={coach} />
        ))}
      </ul>
      {author && <LatestPost userId={author.id} />}
    </section>
  );
}

function LatestPost({ userId }: { userId: string }) {
  const { posts } = useUserPosts(userId);
  const post = posts?.find(({ locked }) => !locked);
  return (
    post && (
      <div className={classes.post}>
        <PostGlimpse post={post} />
      </div>
    )
  );
}
