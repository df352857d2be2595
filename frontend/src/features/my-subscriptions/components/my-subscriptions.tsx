import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { InfiniteSentinel } from '../../../components/infinite-sentinel.js';
import { CardSkeletons, LoadError } from '../../../components/states.js';
import { useSubscriptions } from '../api/get-subscriptions.js';
import { useMySubscriptionTexts } from '../texts.js';
import { EndedSubscriptions } from './ended-subscriptions.js';
import { SubscriptionCard } from './subscription-card.js';
import classes from './subscriptions.module.css';

interface MySubscriptionsProps {
  /** About all of them. */
  action?: ReactNode;
  /** The way to another card, where a payment has failed. */
  mend?: ReactNode;
}

/** The viewer's subscriptions with their count (SUBS-23), and what is told of some that have ended (SUBS-35). */
export function MySubscriptions({ action, mend }: MySubscriptionsProps) {
  const { mine } = useMySubscriptionTexts();
  const query = useSubscriptions();
  const { subscriptions, ended, hasNextPage } = query;
  const isEmpty = subscriptions?.length === 0 && !hasNextPage;
  return (
    <>
      <header className={classes.top}>
        <div>
          <h1 className={classes.title}>{mine.title}</h1>
          {subscriptions && <p className={classes.muted}>{mine.count(subscriptions.length, hasNextPage)}</p>}
        </div>
        {action}
      </header>
      {!subscriptions &&
        (query.error ? (
          <LoadError error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <CardSkeletons />
        ))}
      {isEmpty && (
        <section className={`card ${classes.empty}`}>
          <h2 className={classes.emptyTitle}>{mine.empty}</h2>
          <p className={classes.muted}>{mine.emptyText}</p>
          <Button component={Link} to="/coaches">
            {mine.browse}
          </Button>
        </section>
      )}
      {subscriptions && !isEmpty && (
        <>
          <ul className={classes.list} aria-label={mine.list}>
            {subscriptions.map((subscription) => (
              <SubscriptionCard key={subscription.id} subscription={subscription} mend={mend} />
            ))}
          </ul>
          <InfiniteSentinel list={query} />
          {!hasNextPage && (
            <Button component={Link} to="/coaches" variant="default" className={classes.more}>
              {mine.findMore}
            </Button>
          )}
        </>
      )}
      {ended.length > 0 && <EndedSubscriptions subscriptions={ended} />}
    </>
  );
}
