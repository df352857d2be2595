import type { Username } from './people.js';

export interface DemoSubscription {
  member: Username;
  coach: Username;
  /** Before the seed. */
  daysAgo: number;
  /** When it was cancelled, if it was. */
  endedDaysAgo?: number;
}

/** Free ones: where billing has a provider, nobody subscribes without paying. */
export const DEMO_SUBSCRIPTIONS: readonly DemoSubscription[] = [
  { member: 'priya-raman', coach: 'sarah-moreno', daysAgo: 28 },
  { member: 'nora-quintana', coach: 'sarah-moreno', daysAgo: 26, endedDaysAgo: 9 },
  { member: 'diego-salas', coach: 'sarah-moreno', daysAgo: 15 },
  { member: 'emma-lindqvist', coach: 'sarah-moreno', daysAgo: 6 },
  { member: 'alex-rivera', coach: 'mike-okafor', daysAgo: 24 },
  { member: 'diego-salas', coach: 'mike-okafor', daysAgo: 21 },
  { member: 'emma-lindqvist', coach: 'mike-okafor', daysAgo: 12, endedDaysAgo: 2 },
  { member: 'nora-quintana', coach: 'lucia-fernandez', daysAgo: 27 },
  { member: 'tomas-herrera', coach: 'lucia-fernandez', daysAgo: 17 },
  { member: 'alex-rivera', coach: 'lucia-fernandez', daysAgo: 19, endedDaysAgo: 8 },
  { member: 'emma-lindqvist', coach: 'hana-sato', daysAgo: 16 },
  { member: 'tomas-herrera', coach: 'hana-sato', daysAgo: 8 },
  { member: 'diego-salas', coach: 'andres-villalobos', daysAgo: 10 },
];
