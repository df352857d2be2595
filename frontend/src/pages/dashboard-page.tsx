import { Title } from '../components/title.js';
import { AccessDenied, CoachDashboard } from '../features/dashboard/components/coach-dashboard.js';
import { useDashboardTexts } from '../features/dashboard/texts.js';
import { PayoutNote } from '../features/payments/components/payout-note.js';
import { useCurrentUser } from '../server/session/session.js';
import { Column } from './parts/column.js';

/** /dashboard, for coaches alone (SUBS-29). */
export default function DashboardPage() {
  const { app, dashboard } = useDashboardTexts();
  const viewer = useCurrentUser();
  if (!viewer) return null;
  if (!viewer.isCoach) return <AccessDenied />;
  return (
    <Column>
      <Title>{app.title(dashboard.title)}</Title>
      <CoachDashboard note={<PayoutNote coach={viewer} />} />
    </Column>
  );
}
