import type { ReactNode } from 'react';
import type { Post } from '../api/types.js';
import { Paywall } from '../features/subscriptions/components/paywall.js';

/** What a locked post offers (SUBS-25); nothing where its author is no coach any more. */
export const paywallOf = ({ author }: Post): ReactNode => author.isCoach && <Paywall author={author} />;
