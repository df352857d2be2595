import { Audiences } from '../features/landing/components/audiences.js';
import { Hero } from '../features/landing/components/hero.js';
import { HowItWorks } from '../features/landing/components/how-it-works.js';
import { useMessages } from '../i18n/messages.js';

export default function LandingPage() {
  const { app } = useMessages();
  return (
    <>
      <title>{app.name}</title>
      <Hero />
      <Audiences />
      <HowItWorks />
    </>
  );
}
