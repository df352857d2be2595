/** Apart from the profile's other texts, because cards have figures on pages that show no profile. */
export const en = {
  figures: {
    label: 'Figures',
    openList: (count: string, list: string) => `${count} ${list}, show the list`,
    posts: 'Posts',
    followers: 'Followers',
    following: 'Following',
    subscribers: 'Subscribers',
    likes: 'Likes',
    comments: 'Comments',
  },
} as const;
