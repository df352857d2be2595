import type { Profile } from '../api/types.js';
import { SpecialtyTags } from './specialty-tags.js';

/** On a card: what coaches say of themselves, and their first specialties. */
export function CoachSummary({ coach }: { coach: Pick<Profile, 'bio' | 'specialties'> }) {
  return (
    <>
      {coach.bio && (
        <p className="two-lines" dir="auto">
          {coach.bio}
        </p>
      )}
      <SpecialtyTags specialties={coach.specialties} />
    </>
  );
}
