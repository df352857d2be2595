import { Title } from '../components/title.js';
import { usePageTexts } from './texts.js';
import classes from './pages.module.css';

/** /coach/dashboard: a placeholder and nothing more (UI-5). */
export default function CoachDashboardPage() {
  const { app, coachDashboard } = usePageTexts();
  return (
    <section className={classes.center}>
      <Title>{app.title(coachDashboard.title)}</Title>
      <h1>{coachDashboard.comingSoon}</h1>
    </section>
  );
}
