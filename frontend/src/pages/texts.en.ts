/** Of pages that have no feature of their own, and come with them. */
export const en = {
  coachDashboard: { title: 'Coach Dashboard', comingSoon: 'Coach dashboard coming soon' },
  notFound: {
    title: '404 - Page Not Found',
    text: 'The page you are looking for does not exist.',
  },
} as const;
