import type { DemoPost } from './post.js';

/** Oldest first. */
export const FIRST_WEEKS: readonly DemoPost[] = [
  {
    author: 'sarah-moreno',
    hoursAgo: 26 * 24 + 3,
    visibility: 'public',
    content:
      'New here? So am I.\n\nI coach strength for people with jobs, children and bad sleep. Three sessions a week, forty-five minutes, no miracles. I will post what works, what does not, and the questions I hear most.\n\nTell me what you are training for. I read everything.',
    pictures: [{ scene: 'kettlebells', alt: 'Four kettlebells in a row, the smallest on the left' }],
    likedBy: ['mike-okafor', 'lucia-fernandez', 'priya-raman', 'nora-quintana', 'alex-rivera'],
    comments: [
      {
        author: 'priya-raman',
        minutesLater: 44,
        content: 'For carrying both shopping bags to the fourth floor. No joke.',
        likedBy: ['sarah-moreno', 'nora-quintana'],
      },
      {
        author: 'sarah-moreno',
        minutesLater: 61,
        content: 'That is the best goal I have read all week. Farmer’s walks it is.',
        likedBy: ['priya-raman'],
      },
    ],
  },
  {
    author: 'diego-salas',
    hoursAgo: 24 * 24 + 11,
    visibility: 'public',
    content: 'Day one of running before the children wake up. Day one of needing more coffee, too.',
    pictures: [{ scene: 'sunrise', alt: 'A runner on a path at sunrise, hills behind' }],
    likedBy: ['mike-okafor', 'alex-rivera', 'nora-quintana'],
  },
  {
    author: 'lucia-fernandez',
    hoursAgo: 23 * 24 + 2,
    visibility: 'public',
    content:
      'Five minutes of hip openers before you sit down to work. Your lower back will notice by Thursday.',
    pictures: [{ scene: 'mat-morning', alt: 'Somebody sits cross-legged on a mat by a window' }],
    likedBy: ['alex-rivera', 'sarah-moreno', 'nora-quintana', 'priya-raman'],
    comments: [
      {
        author: 'nora-quintana',
        minutesLater: 300,
        content: 'Did them in the staff room. Two colleagues joined.',
      },
    ],
  },
  {
    author: 'mike-okafor',
    hoursAgo: 21 * 24 + 5,
    visibility: 'public',
    content:
      'Most runners run their easy days too hard. If you cannot talk in full sentences, slow down.\n\nTry this for two weeks: leave the watch at home on easy days and run with somebody who likes to talk. The fast days will get faster on their own.',
    likedBy: ['alex-rivera', 'diego-salas', 'hana-sato', 'sarah-moreno'],
    comments: [
      {
        author: 'alex-rivera',
        minutesLater: 95,
        content: 'Guilty. Tried it today: slower, and I actually enjoyed it.',
        likedBy: ['mike-okafor'],
      },
      {
        author: 'diego-salas',
        minutesLater: 410,
        content: 'My four-year-old on the bike counts as somebody who likes to talk.',
      },
    ],
  },
  {
    author: 'sarah-moreno',
    hoursAgo: 20 * 24,
    visibility: 'subscribers',
    content:
      'Week 1 of the 8-week strength block: squat 5×5 at 70 %, bench 5×5 at 70 %, row 4×8. Rest three minutes between the heavy sets, log every one of them, and leave two reps in the tank on all of it.',
    pictures: [
      { scene: 'barbell', alt: 'A loaded bar on a platform' },
      {
        scene: 'notebook',
        alt: 'A page of a training log, four of six lines ticked',
        caption: 'My own page of last week',
      },
    ],
  },
  {
    author: 'priya-raman',
    hoursAgo: 18 * 24 + 7,
    visibility: 'public',
    content:
      'Today the empty bar felt light. Three weeks ago it did not. That is all, I just had to tell somebody.',
    pictures: [{ scene: 'barbell', alt: 'A bar with three plates on each side', caption: 'Not mine. Yet.' }],
    likedBy: ['sarah-moreno', 'nora-quintana', 'alex-rivera', 'lucia-fernandez', 'tomas-herrera'],
    comments: [
      { author: 'sarah-moreno', minutesLater: 12, content: 'Tell us every time.', likedBy: ['priya-raman'] },
    ],
  },
  {
    author: 'hana-sato',
    hoursAgo: 17 * 24 + 1,
    visibility: 'public',
    content:
      'What adults who learn to swim get wrong is never the arms. They hold their breath.\n\nStand in the shallow end. Breathe out under water until there is nothing left, come up, let the air in by itself. Twenty times, slowly. When that is boring, you are ready for the next lesson.\n\nSwimming is breathing with some moving around it.',
    pictures: [{ scene: 'pool', alt: 'A swimmer in a pool, from above' }],
    likedBy: ['emma-lindqvist', 'tomas-herrera', 'lucia-fernandez', 'mike-okafor'],
    comments: [
      {
        author: 'tomas-herrera',
        minutesLater: 180,
        content: 'Number eleven is where I start to panic. Is that normal?',
      },
      {
        author: 'hana-sato',
        minutesLater: 205,
        content: 'Completely. Stop at ten, come back tomorrow, see how far you get.',
        likedBy: ['tomas-herrera', 'emma-lindqvist'],
      },
    ],
  },
  {
    author: 'andres-villalobos',
    hoursAgo: 16 * 24 + 4,
    visibility: 'public',
    content: 'Hands up, chin down, and please breathe out when you punch. 🥊',
    pictures: [{ scene: 'gloves', alt: 'Red boxing gloves hang on a brick wall' }],
    likedBy: ['diego-salas', 'emma-lindqvist'],
  },
  {
    author: 'andres-villalobos',
    hoursAgo: 15 * 24 + 20,
    visibility: 'public',
    content: 'Roadwork with a beginner who says sorry to every dog. Eight seconds of it, sound off.',
    video: 'morning-run.mp4',
    likedBy: ['diego-salas', 'sarah-moreno', 'emma-lindqvist'],
    comments: [
      {
        author: 'emma-lindqvist',
        minutesLater: 52,
        content: 'The dogs were very understanding.',
        likedBy: ['andres-villalobos', 'diego-salas'],
      },
    ],
  },
  {
    author: 'nora-quintana',
    hoursAgo: 15 * 24 + 9,
    visibility: 'public',
    content:
      'How do people who work nights plan their training? I sleep from nine to three, and by the time I am awake the gym is full.',
    likedBy: ['priya-raman'],
    comments: [
      {
        author: 'sarah-moreno',
        minutesLater: 35,
        content: 'Straight after the shift, short, before breakfast. Heavy things on days off.',
      },
      {
        author: 'lucia-fernandez',
        minutesLater: 50,
        content: 'And ten quiet minutes on the mat before you sleep, never after waking.',
        likedBy: ['nora-quintana'],
      },
      {
        author: 'diego-salas',
        minutesLater: 130,
        content: 'No tips, just respect.',
        likedBy: ['nora-quintana', 'priya-raman'],
      },
    ],
  },
  {
    author: 'lucia-fernandez',
    hoursAgo: 14 * 24 + 1,
    visibility: 'subscribers',
    content:
      'Full 40-minute evening flow: cat and cow, low lunges, pigeon, supine twists, legs up the wall. Hold each side for ten slow breaths, and let the exhale be longer than the inhale from the first minute to the last.',
  },
  {
    author: 'alex-rivera',
    hoursAgo: 13 * 24 + 10,
    visibility: 'public',
    content: 'Signed up for a half marathon in March. There is no way back, I paid.',
    pictures: [
      {
        scene: 'route-river',
        alt: 'A route on a map, along a river',
        caption: 'The course. It looks shorter on the map.',
      },
    ],
    likedBy: ['mike-okafor', 'diego-salas', 'sarah-moreno', 'emma-lindqvist'],
    comments: [
      {
        author: 'mike-okafor',
        minutesLater: 20,
        content: 'The best training plan there is: a receipt.',
        likedBy: ['alex-rivera', 'diego-salas'],
      },
    ],
  },
  {
    author: 'sarah-moreno',
    hoursAgo: 12 * 24 + 2,
    visibility: 'public',
    content: 'You do not need a new programme. You need the last one, done twice a week, for three months.',
    likedBy: ['alex-rivera', 'mike-okafor', 'priya-raman', 'andres-villalobos', 'nora-quintana'],
    comments: [
      { author: 'andres-villalobos', minutesLater: 75, content: 'Putting this on the wall of the gym.' },
    ],
  },
  {
    author: 'emma-lindqvist',
    hoursAgo: 11 * 24 + 6,
    visibility: 'public',
    content: 'First boxing class. I now know muscles by name that I had never met.',
    likedBy: ['andres-villalobos', 'hana-sato', 'diego-salas'],
  },
  {
    author: 'mike-okafor',
    hoursAgo: 10 * 24 + 3,
    visibility: 'subscribers',
    content:
      'Half marathon plan, week 3: Tuesday 6 × 800 m at 10 km pace with 400 m jogs, Thursday 8 km steady, Sunday 14 km easy with the last 2 km at goal pace. Sleep eight hours on Saturday; it is part of the plan.',
    pictures: [
      { scene: 'track', alt: 'A runner on a red track' },
      { scene: 'route-park', alt: 'A route through two parks on a map', caption: 'Sunday, 14 km' },
      { scene: 'notebook', alt: 'A page of a training log', caption: 'The week on one page' },
    ],
  },
];
