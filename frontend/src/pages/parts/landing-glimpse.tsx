import { FIRST_COACHES, useFirstCoaches } from '../../shared/coaches.js';
import { CardSkeletons } from '../../components/states.js';
import { useHydrated } from '../../components/use-hydrated.js';
import { CoachCard } from '../../features/directory/components/coach-card.js';
import { useLandingTexts } from '../../features/landing/texts.js';
import { usePublicPost } from '../../features/posts/api/get-public-post.js';
import { PostGlimpse } from '../../features/posts/components/post-glimpse.js';
import classes from '../landing-page.module.css';

/** What is inside (UI-11): the first coaches of the directory, and the latest public post of the first who has one. */
export function Glimpse() {
  const { landing } = useLandingTexts();
  const { coaches, isPending } = useFirstCoaches();
  const first = coaches?.slice(0, FIRST_COACHES);
  const hydrated = useHydrated();
  // The server renders the page without it, where the answer does not come.
  if (isPending) return hydrated && <CardSkeletons />;
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
  const post = usePublicPost(userId);
  return (
    post && (
      <div className={classes.post}>
        <PostGlimpse post={post} />
      </div>
    )
  );
}
