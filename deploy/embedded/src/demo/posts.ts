import { FIRST_WEEKS } from './posts-of-the-first-weeks.js';
import type { DemoPost } from './post.js';

const LAST_DAYS: readonly DemoPost[] = [
  {
    author: 'andres-villalobos',
    hoursAgo: 9 * 24 + 5,
    visibility: 'public',
    content:
      'A round for your living room, no equipment:\n\n1. One minute jab, jab, cross, slowly.\n2. One minute of stepping left and right without crossing your feet.\n3. One minute of both together.\n4. One minute rest.\n\nFour rounds. If the neighbours below complain, you are jumping. Boxers glide.',
    likedBy: ['diego-salas', 'emma-lindqvist', 'alex-rivera', 'nora-quintana'],
    comments: [
      {
        author: 'emma-lindqvist',
        minutesLater: 260,
        content: 'The neighbours complained.',
        likedBy: ['andres-villalobos', 'diego-salas', 'hana-sato'],
      },
    ],
  },
  {
    author: 'tomas-herrera',
    hoursAgo: 8 * 24 + 8,
    visibility: 'public',
    content: 'Eighteen breaths under water. Two more than yesterday.',
    likedBy: ['hana-sato', 'emma-lindqvist', 'lucia-fernandez'],
    comments: [
      {
        author: 'hana-sato',
        minutesLater: 15,
        content: 'Next week we go to the deep end, and you will like it.',
      },
    ],
  },
  {
    author: 'priya-raman',
    hoursAgo: 7 * 24 + 4,
    visibility: 'public',
    content:
      'Things nobody told me about lifting: chalk gets everywhere, the big men are the kindest people in the room, and carrying a sleeping child upstairs is suddenly easy.',
    likedBy: [
      'sarah-moreno',
      'nora-quintana',
      'diego-salas',
      'tomas-herrera',
      'emma-lindqvist',
      'lucia-fernandez',
    ],
    comments: [{ author: 'diego-salas', minutesLater: 33, content: 'The last one should be on the poster.' }],
  },
  {
    author: 'hana-sato',
    hoursAgo: 6 * 24 + 7,
    visibility: 'subscribers',
    content:
      'Recovery week for cyclists who never take one: Monday nothing, Tuesday 45 minutes so easy that you are embarrassed, Wednesday swim or walk, Thursday 60 minutes with five short spins, Friday nothing, and ride with friends on Sunday. You will be faster for it, promise.',
    pictures: [{ scene: 'ride', alt: 'A cyclist on a road between green hills' }],
  },
  {
    author: 'lucia-fernandez',
    hoursAgo: 5 * 24 + 3,
    visibility: 'public',
    content: 'Flexibility is mostly patience with a mat under it.',
    likedBy: ['nora-quintana', 'tomas-herrera', 'hana-sato'],
  },
  {
    author: 'alex-rivera',
    hoursAgo: 4 * 24 + 12,
    visibility: 'public',
    content: '10 km without stopping for the first time this morning. Half marathon in March, here we go.',
    pictures: [
      { scene: 'route-park', alt: 'A route of ten kilometres on a map' },
      {
        scene: 'sunrise-together',
        alt: 'Two runners at sunrise',
        caption: 'Mike came along for the last three',
      },
      { scene: 'breakfast', alt: 'Coffee, a banana and a watch', caption: 'Earned' },
    ],
    likedBy: ['mike-okafor', 'sarah-moreno', 'lucia-fernandez', 'diego-salas', 'nora-quintana'],
    comments: [
      {
        author: 'mike-okafor',
        minutesLater: 18,
        content: 'That is a real milestone. Take tomorrow easy.',
        likedBy: ['alex-rivera'],
      },
      { author: 'sarah-moreno', minutesLater: 90, content: 'Well earned.' },
    ],
  },
  {
    author: 'mike-okafor',
    hoursAgo: 3 * 24 + 5,
    visibility: 'public',
    content:
      'Eat before a long run, not during your warm-up. Two hours: porridge. One hour: toast with honey. Ten minutes: half a banana and a short prayer.',
    pictures: [
      { scene: 'bowl', alt: 'A bowl with rice, egg and vegetables', caption: 'The night before' },
      { scene: 'breakfast', alt: 'Coffee, a banana and a watch', caption: 'An hour before' },
    ],
    likedBy: ['alex-rivera', 'emma-lindqvist', 'diego-salas'],
    comments: [
      {
        author: 'emma-lindqvist',
        minutesLater: 140,
        content: 'And after open water: everything in the house.',
      },
    ],
  },
  {
    author: 'nora-quintana',
    hoursAgo: 2 * 24 + 9,
    visibility: 'public',
    content: 'Six nights, six evening flows. I slept. I am a new person, please be gentle with her.',
    pictures: [{ scene: 'mat-night', alt: 'Somebody sits on a mat at night, the moon in the window' }],
    likedBy: ['lucia-fernandez', 'priya-raman', 'sarah-moreno', 'tomas-herrera'],
    comments: [
      {
        author: 'lucia-fernandez',
        minutesLater: 25,
        content: 'This made my day, Nora. 💛',
        likedBy: ['nora-quintana'],
      },
    ],
  },
  {
    author: 'andres-villalobos',
    hoursAgo: 2 * 24 + 1,
    visibility: 'subscribers',
    content:
      'Southpaw week. Round 1: stance and steps only, mirror yourself. Round 2: jab to the outside of their front foot. Round 3: the straight left, after a step, never before. Film round 3 and compare your back heel with the photo from last week.',
  },
  {
    author: 'emma-lindqvist',
    hoursAgo: 30,
    visibility: 'public',
    content: 'Swam 2 km before breakfast. The lake was 12 degrees. So was I, for an hour.',
    pictures: [{ scene: 'lake', alt: 'A swimmer with an orange buoy on a lake below mountains' }],
    likedBy: ['hana-sato', 'diego-salas', 'mike-okafor'],
    comments: [
      {
        author: 'hana-sato',
        minutesLater: 48,
        content: 'Wool hat, hot tea, and next time tell me first!',
        likedBy: ['emma-lindqvist'],
      },
    ],
  },
  {
    author: 'diego-salas',
    hoursAgo: 22,
    visibility: 'public',
    content: 'Three weeks of mornings. The coffee is the same, the hills are not. 5 km in 27:40.',
    pictures: [
      { scene: 'route-river', alt: 'A route of five kilometres on a map' },
      { scene: 'sunrise', alt: 'A runner at sunrise' },
      { scene: 'shoes', alt: 'Red running shoes by the door' },
      { scene: 'breakfast', alt: 'Coffee, a banana and a watch' },
      {
        scene: 'bowl-second',
        alt: 'A bowl with rice, egg and vegetables',
        caption: 'And then the children ate it',
      },
    ],
    likedBy: ['mike-okafor', 'alex-rivera', 'andres-villalobos'],
    comments: [
      {
        author: 'alex-rivera',
        minutesLater: 37,
        content: 'Sunday together? I bring the bananas.',
        likedBy: ['diego-salas'],
      },
    ],
  },
  {
    author: 'sarah-moreno',
    hoursAgo: 13,
    visibility: 'subscribers',
    content:
      'Week 4, the one that everybody wants to skip: lighter on purpose. Squat 3×5 at 60 %, bench 3×5 at 60 %, row 3×8, and go home while it still feels good. Strength is built between the sessions, and this week is mostly between.',
  },
  {
    author: 'alex-rivera',
    hoursAgo: 7,
    visibility: 'public',
    content: 'What do you eat before a morning run? Banana and coffee has been my routine so far.',
    likedBy: ['lucia-fernandez', 'diego-salas'],
    comments: [
      {
        author: 'mike-okafor',
        minutesLater: 22,
        content: 'That is plenty for anything under an hour.',
        likedBy: ['alex-rivera'],
      },
      { author: 'diego-salas', minutesLater: 41, content: 'Whatever the children left on the table.' },
    ],
  },
  {
    author: 'lucia-fernandez',
    hoursAgo: 4,
    visibility: 'public',
    content:
      'Before you scroll on: drop your shoulders, unclench your jaw, one long breath out.\n\nThere. That was today’s practice.',
    likedBy: ['nora-quintana', 'sarah-moreno', 'priya-raman', 'hana-sato'],
    comments: [{ author: 'priya-raman', minutesLater: 16, content: 'How did you know about the jaw?' }],
  },
  {
    author: 'mike-okafor',
    hoursAgo: 1.5,
    visibility: 'public',
    content: 'Rain all day. Nobody ever regretted the run, only the shoes by the door.',
    pictures: [{ scene: 'shoes', alt: 'Red running shoes on a mat by the door, rain in the window' }],
    likedBy: ['alex-rivera', 'diego-salas'],
  },
];

/** Oldest first. What is for subscribers has no likes and no comments. */
export const DEMO_POSTS: readonly DemoPost[] = [...FIRST_WEEKS, ...LAST_DAYS];
