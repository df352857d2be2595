import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import { hasStatus } from '../../../server/http/api-error.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { InfiniteSentinel } from '../../../components/infinite-sentinel.js';
import { CardSkeletons, LoadError } from '../../../components/states.js';
import { NoPriceNote } from '../../../shared/subscribing/no-price-note.js';
import { useCurrentUser } from '../../../server/session/session.js';
import { useDashboard } from '../api/get-dashboard.js';
import { useDashboardTexts } from '../texts.js';
import classes from './dashboard.module.css';
import { Figures } from './figures.js';
import { SubscriberList } from './subscriber-list.js';

/** A coach's figures and subscribers (SUBS-26 to SUBS-28), below a `note` on what is left to do. The server may know that the viewer is no coach any more. */
export function CoachDashboard({ note }: { note?: ReactNode }) {
  const { dashboard } = useDashboardTexts();
  const viewer = useCurrentUser();
  const query = useDashboard();
  const { figures, subscribers } = query;
  if (hasStatus(query.error, 403)) return <AccessDenied />;
  return (
    <>
      <h1 className={classes.title}>{dashboard.title}</h1>
      {viewer && <NoPriceNote coach={viewer} />}
      {note}
      {figures && subscribers ? (
        <>
          <Figures {...figures} />
          <h2 className={classes.section}>{dashboard.subscribers}</h2>
          {subscribers.length > 0 && <SubscriberList subscribers={subscribers} />}
          {subscribers.length === 0 && !query.hasNextPage && (
            <p className={`card ${classes.empty}`}>{dashboard.empty}</p>
          )}
          <InfiniteSentinel list={query} />
        </>
      ) : query.error ? (
        <LoadError error={query.error} fallback={dashboard.failed} onRetry={() => void query.refetch()} />
      ) : (
        <CardSkeletons />
      )}
      <section className={`card ${classes.coming}`} aria-labelledby="coming-soon">
        <h2 id="coming-soon" className={classes.comingTitle}>
          {dashboard.comingSoon}
        </h2>
        <ul className={classes.comingList}>
          {dashboard.coming.map((feature) => (
            <li key={feature}>{feature}</li>
          ))}
        </ul>
      </section>
    </>
  );
}

/** Says so, and leads to the profile (SUBS-29). */
export function AccessDenied() {
  const { dashboard } = useDashboardTexts();
  useEffect(() => void toast({ type: 'error', message: dashboard.denied }), [dashboard.denied]);
  return <Navigate to="/profile" replace />;
}
