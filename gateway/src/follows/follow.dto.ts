import { z } from 'zod';
import { answer } from '../validation/named-schemas.js';
import { count } from '../user-ref/user-ref.dto.js';

export const followResultSchema = answer(
  'FollowResult',
  z.object({
    following: z.boolean(),
    followerCount: count.meta({ description: 'How many follow the user now' }),
  }),
  { following: true, followerCount: 49 },
);

export type FollowResult = z.output<typeof followResultSchema>;
