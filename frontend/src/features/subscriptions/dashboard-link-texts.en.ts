export const en = {
  dashboardLink: {
    withCount: (n: number, shown: string) =>
      n === 1 ? '1 subscriber · Dashboard' : `${shown} subscribers · Dashboard`,
    alone: 'Dashboard',
  },
} as const;
