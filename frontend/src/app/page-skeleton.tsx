import { useLocation } from 'react-router-dom';
import { CardSkeletons, PageLoading } from '../components/states.js';
import { useTexts } from '../i18n/texts.js';
import { DESTINATIONS } from './shell/destinations.js';

/** Pages that do not consist of cards. */
const WITHOUT_CARDS = new Set([
  '/',
  '/login',
  '/signup',
  '/messages',
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/unsubscribe',
]);

/** The shape of the page whose code is loading, or whose user is not known yet; with a heading where its name is known. */
export function PageSkeleton() {
  const { nav } = useTexts();
  const { pathname } = useLocation();
  const destination = DESTINATIONS.find(({ to }) => to === pathname);
  return (
    <>
      {destination && <h1 className="visually-hidden">{nav[destination.text]}</h1>}
      {WITHOUT_CARDS.has(pathname) ? <PageLoading /> : <CardSkeletons />}
    </>
  );
}
