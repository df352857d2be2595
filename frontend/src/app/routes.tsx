import { Suspense } from 'react';
import type { ComponentType } from 'react';
import { Route, Routes } from 'react-router-dom';
import { lazyComponent } from '../components/lazy-component.js';
import { PageLoading } from '../components/states.js';
import { GuestsOnly, SignedInOnly } from './guards.js';
import { Shell } from './shell/shell.js';

/** Each page has its own chunk. */
const lazyPage = (load: () => Promise<{ default: ComponentType }>) =>
  lazyComponent(async () => (await load()).default);

const LandingPage = lazyPage(() => import('../pages/landing-page.js'));
const LoginPage = lazyPage(() => import('../pages/login-page.js'));
const SignUpPage = lazyPage(() => import('../pages/sign-up-page.js'));
const FeedPage = lazyPage(() => import('../pages/feed-page.js'));
const OwnProfilePage = lazyPage(() => import('../pages/own-profile-page.js'));
const ProfilePage = lazyPage(() => import('../pages/profile-page.js'));
const UsernamePage = lazyPage(() => import('../pages/username-page.js'));
const PostPage = lazyPage(() => import('../pages/post-page.js'));
const CoachesPage = lazyPage(() => import('../pages/coaches-page.js'));
const CoachPage = lazyPage(() => import('../pages/coach-page.js'));
const CoachDashboardPage = lazyPage(() => import('../pages/coach-dashboard-page.js'));
const NotFoundPage = lazyPage(() => import('../pages/not-found-page.js'));

/** Reserved as usernames without being a page (PEOPLE-8): a page is missing there, not a user. */
const RESERVED = ['/messages', '/dashboard', '/subscriptions'];

/** UI-1. */
export function AppRoutes() {
  return (
    <Shell>
      <Suspense fallback={<PageLoading />}>
        <Routes>
          <Route element={<GuestsOnly />}>
            <Route path="/" element={<LandingPage />} />
            <Route path="/login" element={<LoginPage />} />
            <Route path="/signup" element={<SignUpPage />} />
          </Route>
          <Route element={<SignedInOnly />}>
            <Route path="/feed" element={<FeedPage />} />
            <Route path="/profile" element={<OwnProfilePage />} />
            <Route path="/coach/dashboard" element={<CoachDashboardPage />} />
          </Route>
          <Route path="/coaches" element={<CoachesPage />} />
          <Route path="/coaches/:coachId" element={<CoachPage />} />
          <Route path="/profile/:userId" element={<ProfilePage />} />
          <Route path="/post/:postId" element={<PostPage />} />
          {RESERVED.map((path) => (
            <Route key={path} path={path} element={<NotFoundPage />} />
          ))}
          <Route path="/:username" element={<UsernamePage />} />
          <Route path="*" element={<NotFoundPage />} />
        </Routes>
      </Suspense>
    </Shell>
  );
}
