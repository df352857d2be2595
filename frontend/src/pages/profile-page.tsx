import { useParams } from 'react-router-dom';
import { useProfile } from '../features/profile/api/get-profile.js';
import { STATS_BY_ID } from '../features/profile/components/stats.js';
import { PublicProfile } from './parts/public-profile.js';

/** /profile/{userId} */
export default function ProfilePage() {
  const { userId = '' } = useParams();
  return <PublicProfile query={useProfile(userId)} stats={() => STATS_BY_ID} />;
}
