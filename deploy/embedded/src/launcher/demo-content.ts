/**
 * The demo (DEMO-1): three coaches, one member and eight posts. All accounts have one password, which the launcher
 * prints.
 */
export const DEMO_PASSWORD = 'pulso-demo';

interface DemoUser {
  name: string;
  username: string;
  email: string;
  isCoach: boolean;
  bio: string;
  specialties: string[];
}

export const DEMO_USERS: readonly DemoUser[] = [
  {
    name: 'Sarah Moreno',
    username: 'sarah-moreno',
    email: 'sarah@demo.pulso.fit',
    isCoach: true,
    bio: 'Strength coach. I help busy people get strong with three honest sessions a week.',
    specialties: ['Weight Training', 'Strength Training', 'CrossFit'],
  },
  {
    name: 'Mike Okafor',
    username: 'mike-okafor',
    email: 'mike@demo.pulso.fit',
    isCoach: true,
    bio: 'Marathoner turned running coach. Easy miles, strong finishes.',
    specialties: ['Running', 'Cardio', 'Nutrition'],
  },
  {
    name: 'Lucía Fernández',
    username: 'lucia-fernandez',
    email: 'lucia@demo.pulso.fit',
    isCoach: true,
    bio: 'Yoga y movilidad. Breath first, then everything else.',
    specialties: ['Yoga', 'Pilates', 'Flexibility'],
  },
  {
    name: 'Alex Rivera',
    username: 'alex-rivera',
    email: 'alex@demo.pulso.fit',
    isCoach: false,
    bio: 'Training for my first half marathon.',
    specialties: [],
  },
];

interface DemoPost {
  author: string;
  visibility: 'public' | 'subscribers';
  content: string;
  likedBy: string[];
  comments: { author: string; content: string }[];
}

/** Oldest first, in the order of publication. */
export const DEMO_POSTS: readonly DemoPost[] = [
  {
    author: 'lucia-fernandez',
    visibility: 'public',
    content:
      'Five minutes of hip openers before you sit down to work. Your lower back will notice by Thursday.',
    likedBy: ['alex-rivera', 'sarah-moreno'],
    comments: [],
  },
  {
    author: 'sarah-moreno',
    visibility: 'subscribers',
    content:
      'Week 1 of the 8-week strength block: squat 5×5 at 70 %, bench 5×5 at 70 %, row 4×8. Rest three minutes between the heavy sets, log every one of them, and leave two reps in the tank on all of it.',
    likedBy: [],
    comments: [],
  },
  {
    author: 'mike-okafor',
    visibility: 'public',
    content: 'Most runners run their easy days too hard. If you cannot talk in full sentences, slow down.',
    likedBy: ['alex-rivera'],
    comments: [
      { author: 'alex-rivera', content: 'Guilty. Tried it today: slower, and I actually enjoyed it.' },
    ],
  },
  {
    author: 'alex-rivera',
    visibility: 'public',
    content: '10 km without stopping for the first time this morning. Half marathon in March, here we go.',
    likedBy: ['mike-okafor', 'sarah-moreno', 'lucia-fernandez'],
    comments: [
      { author: 'mike-okafor', content: 'That is a real milestone. Take tomorrow easy.' },
      { author: 'sarah-moreno', content: 'Well earned.' },
    ],
  },
  {
    author: 'lucia-fernandez',
    visibility: 'subscribers',
    content:
      'Full 40-minute evening flow: cat and cow, low lunges, pigeon, supine twists, legs up the wall. Hold each side for ten slow breaths, and let the exhale be longer than the inhale from the first minute to the last.',
    likedBy: [],
    comments: [],
  },
  {
    author: 'sarah-moreno',
    visibility: 'public',
    content: 'You do not need a new programme. You need the last one, done twice a week, for three months.',
    likedBy: ['alex-rivera', 'mike-okafor'],
    comments: [],
  },
  {
    author: 'mike-okafor',
    visibility: 'subscribers',
    content:
      'Half marathon plan, week 3: Tuesday 6 × 800 m at 10 km pace with 400 m jogs, Thursday 8 km steady, Sunday 14 km easy with the last 2 km at goal pace. Sleep eight hours on Saturday; it is part of the plan.',
    likedBy: [],
    comments: [],
  },
  {
    author: 'alex-rivera',
    visibility: 'public',
    content: 'What do you eat before a morning run? Banana and coffee has been my routine so far.',
    likedBy: ['lucia-fernandez'],
    comments: [{ author: 'mike-okafor', content: 'That is plenty for anything under an hour.' }],
  },
];
