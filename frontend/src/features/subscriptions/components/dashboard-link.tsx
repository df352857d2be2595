import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { Profile } from '../../../api/types.js';
import { useDashboardLinkTexts } from '../dashboard-link-texts.js';

/** On a coach's own profile: to the dashboard, with the number of subscribers where it is known (UI-32). */
export function DashboardLink({ coach }: { coach: Profile }) {
  const { dashboardLink, locale } = useDashboardLinkTexts();
  const { subscribers } = coach.stats;
  const shown = new Intl.NumberFormat(locale, { notation: 'compact' }).format(subscribers ?? 0);
  return (
    <Button component={Link} to="/dashboard" variant="default">
      {subscribers === null ? dashboardLink.alone : dashboardLink.withCount(subscribers, shown)}
    </Button>
  );
}
