import { Link } from 'react-router-dom';
import type { Subscriber } from '../../../api/types.js';
import { Avatar } from '../../../components/avatar.js';
import { PHONE } from '../../../components/back-closes.js';
import { longDate } from '../../../components/relative-time.js';
import { useMedia } from '../../../components/use-media.js';
import { useDashboardTexts } from '../texts.js';
import classes from './dashboard.module.css';

/** Everyone who ever subscribed (SUBS-27): a table, on phones a list of cards. */
export function SubscriberList({ subscribers }: { subscribers: readonly Subscriber[] }) {
  const { dashboard } = useDashboardTexts();
  const { columns } = dashboard;
  const phone = useMedia(PHONE);
  if (phone) {
    return (
      <ul className={classes.cards} aria-label={dashboard.subscribers}>
        {subscribers.map((subscriber) => (
          <li key={subscriber.user.id} tabIndex={-1} className={`card ${classes.card}`}>
            <Who subscriber={subscriber} />
            <dl className={classes.facts}>
              <dt>{columns.plan}</dt>
              <dd>
                <Plan subscriber={subscriber} />
              </dd>
              <dt>{columns.status}</dt>
              <dd>
                <Status subscriber={subscriber} />
              </dd>
              <dt>{columns.since}</dt>
              <dd>
                <Since subscriber={subscriber} />
              </dd>
            </dl>
          </li>
        ))}
      </ul>
    );
  }
  return (
    <div className={`card ${classes.tableCard}`}>
      <table className={classes.table} aria-label={dashboard.subscribers}>
        <thead>
          <tr>
            <th scope="col">{columns.subscriber}</th>
            <th scope="col">{columns.plan}</th>
            <th scope="col">{columns.status}</th>
            <th scope="col">{columns.since}</th>
          </tr>
        </thead>
        <tbody>
          {subscribers.map((subscriber) => (
            <tr key={subscriber.user.id}>
              <td>
                <Who subscriber={subscriber} />
              </td>
              <td>
                <Plan subscriber={subscriber} />
              </td>
              <td>
                <Status subscriber={subscriber} />
              </td>
              <td>
                <Since subscriber={subscriber} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface Shown {
  subscriber: Subscriber;
}

/** The address is there only while they have access. */
function Who({ subscriber: { user } }: Shown) {
  return (
    <Link to={`/profile/${user.id}`} className={classes.who}>
      <Avatar user={user} size={36} />
      <span className={classes.names}>
        <span className={`one-line ${classes.name}`} dir="auto">
          {user.name}
        </span>
        {user.email && <span className={`one-line ${classes.email}`}>{user.email}</span>}
      </span>
    </Link>
  );
}

function Plan({ subscriber: { plan } }: Shown) {
  const { plans, unnamedPlan } = useDashboardTexts().dashboard;
  return plan ? ((plans as Partial<Record<string, string>>)[plan] ?? plan) : unnamedPlan;
}

/** Beside it until when one that leaves has access, and that a dispute has ended the subscription (SUBS-35). */
function Status({ subscriber: { status, accessUntil, disputed } }: Shown) {
  const { dashboard, locale } = useDashboardTexts();
  const isActive = status === 'active';
  return (
    <>
      <span className={isActive ? classes.active : classes.inactive}>{dashboard.statuses[status]}</span>
      {isActive && accessUntil && (
        <span className={classes.course}>{dashboard.until(longDate(accessUntil, locale))}</span>
      )}
      {disputed && <span className={classes.course}>{dashboard.disputed}</span>}
    </>
  );
}

function Since({ subscriber: { subscribedAt } }: Shown) {
  const { locale } = useDashboardTexts();
  return <time dateTime={subscribedAt}>{longDate(subscribedAt, locale)}</time>;
}
