import { useMessages } from '../i18n/messages.js';
import classes from './pages.module.css';

/** /coach/dashboard: a placeholder and nothing more (UI-5). */
export default function CoachDashboardPage() {
  const { app, coachDashboard } = useMessages();
  return (
    <section className={classes.center}>
      <title>{app.title(coachDashboard.title)}</title>
      <h1>{coachDashboard.comingSoon}</h1>
    </section>
  );
}
