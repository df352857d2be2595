import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../server/queries/query-keys.js';
import { client, unwrap } from '../server/client/client.js';

/** The options of the sign-up form (PEOPLE-13). */
export const SIGN_UP_SPECIALTIES: readonly string[] = [
  'Weight Training',
  'Cardio',
  'Yoga',
  'Pilates',
  'CrossFit',
  'Running',
  'Swimming',
  'Martial Arts',
  'Dance',
  'Nutrition',
];

/** Used until the server's list has arrived (PEOPLE-13). */
export const KNOWN_SPECIALTIES: readonly string[] = [
  ...SIGN_UP_SPECIALTIES,
  'Boxing',
  'Cycling',
  'Strength Training',
  'Flexibility',
  'HIIT',
];

/** Every specialty known, sorted (GET /api/specialties). */
export const useSpecialties = ({ enabled = true } = {}) =>
  useQuery({
    enabled,
    queryKey: queryKeys.specialties,
    queryFn: async () => (await unwrap(client.GET('/api/specialties'))).items,
    staleTime: 60_000,
  });
