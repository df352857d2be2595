import { useState } from 'react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { isNotFound } from '../../server/http/api-error.js';
import type { Profile } from '../../api/types.js';
import { ToListStart, useListStart } from '../../components/list-start.js';
import { profilePath } from '../../components/profile-path.js';
import { CardSkeletons, Empty, LoadError } from '../../components/states.js';
import { Tabs } from '../../components/tabs.js';
import { Title } from '../../components/title.js';
import { MessageButton } from '../../features/messages/components/message-button.js';
import { MendButton } from '../../features/payments/components/mend-button.js';
import { PersonActions } from '../../features/people/components/person-actions.js';
import { UserListDialog } from '../../features/people/components/user-list-dialog.js';
import { usePeopleTexts } from '../../features/people/texts.js';
import { usePeopleActions } from '../../features/people/use-people-actions.js';
import { useUserPosts } from '../../features/posts/api/get-user-posts.js';
import { PostList } from '../../features/posts/components/post-list.js';
import { Publisher } from '../../features/posts/components/publisher.js';
import { ProfileHead } from '../../features/profile/components/profile-head.js';
import { Stats } from '../../features/profile/components/stats.js';
import { UserNotFound } from '../../features/profile/components/user-not-found.js';
import { useProfileTexts } from '../../features/profile/texts.js';
import { Reviews } from '../../features/reviews/components/reviews.js';
import { useReviewTexts } from '../../features/reviews/texts.js';
import { DashboardLink } from '../../features/subscriptions/components/dashboard-link.js';
import { OwnPrice } from '../../features/subscriptions/components/own-price.js';
import { SubscribePanel } from '../../features/subscriptions/components/subscribe-panel.js';
import { nextCursorOf } from '../../server/queries/paged-list.js';
import { useCurrentUser } from '../../server/session/session.js';
import { Column } from './column.js';
import classes from '../pages.module.css';
import { paywallOf } from '../../features/subscriptions/components/paywall.js';

type Tab = 'posts' | 'reviews';

interface ProfileQuery {
  data: Profile | undefined;
  error: unknown;
  refetch: () => unknown;
}

interface PublicProfileProps {
  query: ProfileQuery;
  /** The figures that this address shows. */
  stats: (profile: Profile) => (keyof Profile['stats'])[];
  /** The profile exists, but not at this address. */
  missing?: boolean;
  missingTitle?: string;
  missingPage?: ReactNode;
  /** Shows the owner the publisher above their posts. */
  ownerPublishes?: boolean;
}

/** UI-25 and "Coach profile", for all their addresses. */
export function PublicProfile({
  query,
  stats,
  missing = false,
  missingTitle,
  missingPage = <UserNotFound />,
  ownerPublishes = false,
}: PublicProfileProps) {
  const texts = useProfileTexts();
  const profile = query.data;
  // In the address, so that Back, a reload and a login lead to the tab that was open.
  const [params, setParams] = useSearchParams();
  const tab: Tab = params.get('tab') === 'reviews' ? 'reviews' : 'posts';
  const start = useListStart();
  const changeTab = (next: Tab) => setParams(next === 'posts' ? {} : { tab: next }, { replace: true });
  if (missing || isNotFound(query.error)) {
    return (
      <Column>
        <Title>{texts.app.title(missingTitle ?? texts.profile.notFoundTitle)}</Title>
        {missingPage}
      </Column>
    );
  }
  if (!profile) {
    return (
      <Column>
        {query.error ? (
          <LoadError error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <CardSkeletons />
        )}
      </Column>
    );
  }
  return (
    <Column>
      <Title address={profilePath(profile)} isPart={start !== undefined}>
        {texts.app.title(titleOf(profile))}
      </Title>
      <Head key={`head-${profile.id}`} profile={profile} stats={stats(profile)} />
      {offersSubscription(profile) && (
        <SubscribePanel key={`subscription-${profile.id}`} coach={profile} mend={<MendButton />} />
      )}
      {profile.viewer?.blocked ? (
        <BlockedNote profile={profile} />
      ) : (
        <Body
          key={`body-${profile.id}`}
          profile={profile}
          ownerPublishes={ownerPublishes}
          tab={tab}
          onTab={changeTab}
        />
      )}
    </Column>
  );
}

/** The name alone may be somebody else's, too (UI-9); the gateway writes the same (HTTP-27). */
const titleOf = ({ name, username }: Profile): string => (username ? `${name} (@${username})` : name);

/** Who subscribes to somebody who is no coach any more can still unsubscribe. */
const offersSubscription = ({ isCoach, viewer }: Profile): boolean =>
  !viewer?.isSelf && !viewer?.blocked && (isCoach || viewer?.subscribed === true);

function Head({ profile, stats }: { profile: Profile; stats: (keyof Profile['stats'])[] }) {
  const { account } = useProfileTexts();
  const [list, setList] = useState<'followers' | 'following'>();
  const blocked = profile.viewer?.blocked === true;
  return (
    <section className="card">
      <ProfileHead
        profile={profile}
        coachBadge={account.coach}
        action={
          profile.viewer?.isSelf ? (
            profile.isCoach && <DashboardLink coach={profile} />
          ) : (
            <PersonActions profile={profile}>
              <MessageButton profile={profile} />
            </PersonActions>
          )
        }
      />
      {!blocked && <Stats profile={profile} show={stats} onOpen={setList} />}
      {profile.viewer?.isSelf && profile.isCoach && <OwnPrice coach={profile} />}
      {list && <UserListDialog list={list} userId={profile.id} onClose={() => setList(undefined)} />}
    </section>
  );
}

function BlockedNote({ profile }: { profile: Profile }) {
  const { people } = usePeopleTexts();
  return <Empty>{people.blockedNote(profile.name)}</Empty>;
}

interface BodyProps {
  profile: Profile;
  ownerPublishes: boolean;
  tab: Tab;
  onTab: (tab: Tab) => void;
}

/** Coaches get Posts and Reviews tabs; members a single list. */
function Body({ profile, ownerPublishes, tab, onTab }: BodyProps) {
  const texts = useProfileTexts();
  const { reviews } = useReviewTexts();
  if (!profile.isCoach) {
    return (
      <>
        <h2 className={classes.section}>{texts.profile.posts}</h2>
        <ProfilePosts profile={profile} ownerPublishes={ownerPublishes} />
      </>
    );
  }
  const tabs = [
    { id: 'posts', label: texts.profile.posts },
    { id: 'reviews', label: reviews.title },
  ] as const;
  return (
    <Tabs
      label={texts.profile.sections}
      tabs={tabs}
      current={tab}
      onChange={onTab}
      addressOf={(id) => (id === 'posts' ? '?' : `?tab=${id}`)}
    >
      {tab === 'posts' ? (
        <ProfilePosts profile={profile} ownerPublishes={ownerPublishes} />
      ) : (
        <Reviews coachId={profile.id} isSelf={profile.viewer?.isSelf === true} />
      )}
    </Tabs>
  );
}

function ProfilePosts({ profile, ownerPublishes }: { profile: Profile; ownerPublishes: boolean }) {
  const texts = useProfileTexts();
  const viewer = useCurrentUser();
  const start = useListStart();
  const query = useUserPosts(profile.id, start);
  const people = usePeopleActions();
  const isSelf = profile.viewer?.isSelf === true;
  return (
    <>
      {ownerPublishes && isSelf && viewer && <Publisher viewer={viewer} />}
      <ToListStart />
      <PostList
        label={texts.profile.posts}
        query={query}
        next={nextCursorOf(query.data)}
        moreEntries={people.entries}
        onShowLikes={people.showLikes}
        paywall={paywallOf}
        empty={
          start === undefined && <Empty>{isSelf ? texts.profile.emptyOwn : texts.profile.emptyOther}</Empty>
        }
      />
      {people.dialog}
    </>
  );
}
