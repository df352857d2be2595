import { useMessages } from '../i18n/messages.js';
import classes from './pages.module.css';

/** /coach/dashboard: the specified placeholder and nothing more (decisions 43). */
export default function CoachDashboardPage() {
  const { app, coachDashboard } = useMessages();
  return (
    <section className={classes.center}>
      <title>{app.title(coachDashboard.title)}</title>
      <h1>{coachDashboard.comingSoon}</h1>
    </section>
  );
}
