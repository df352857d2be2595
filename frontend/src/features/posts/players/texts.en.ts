/** Videos of posts that are shown; loaded with the first one. */
export const en = {
  player: {
    by: (name: string) => `Video by ${name}`,
    play: (name: string) => `Play the video by ${name}`,
    processing: 'Your video is being prepared.',
    notAvailable: 'This video is not available.',
    noAddress: 'The given file does not have any download URLs.',
    failed: 'This video could not be played.',
    retry: 'Try again',
    youtube: 'YouTube',
    vimeo: 'Vimeo',
    loadsFrom: (host: string) => `Plays from ${host}`,
    opens: (host: string) => `Watch on ${host}`,
    newTab: 'opens in a new tab',
  },
} as const;
