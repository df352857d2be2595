import { Navigate, useLocation, useParams } from 'react-router-dom';
import { useProfileByUsername } from '../features/profile/api/get-profile.js';
import { statsByUsername } from '../features/profile/components/stats.js';
import { PublicProfile } from './parts/public-profile.js';

/** /{username}. An old username redirects to the new one (PEOPLE-6). */
export default function UsernamePage() {
  const { username = '' } = useParams();
  const query = useProfileByUsername(username);
  const { search } = useLocation();
  const current = query.data?.username;
  if (current && current !== username) return <Navigate to={`/${current}${search}`} replace />;
  return <PublicProfile query={query} stats={statsByUsername} />;
}
