export const en = {
  dashboard: {
    title: 'Coach Dashboard',
    denied: 'Access denied. Only coaches can view the dashboard.',
    figures: 'Figures',
    total: 'Total Subscribers',
    active: 'Active Subscriptions',
    revenue: 'Monthly Revenue (est.)',
    /** What subscribers pay at the price they joined at. */
    paid: (amounts: string) => `Paid now: ${amounts}`,
    subscribers: 'Subscribers',
    columns: { subscriber: 'Subscriber', plan: 'Plan', status: 'Status', since: 'Subscribed Date' },
    plans: { monthly: 'Monthly' },
    unnamedPlan: 'Basic',
    statuses: { active: 'Active', past_due: 'Past due', cancelled: 'Cancelled', incomplete: 'Incomplete' },
    until: (date: string) => `until ${date}`,
    disputed: 'Payment disputed',
    empty: 'No subscribers yet',
    failed: 'Failed to load subscribers. Please try again.',
    comingSoon: 'Coming Soon',
    coming: ['Detailed Analytics', 'Payment Management', 'Subscriber Messaging', 'Content Scheduling'],
  },
} as const;
