import type { Username } from './people.js';

export interface DemoConversation {
  /** Who writes first, and the other one. */
  between: [Username, Username];
  /** The first message, before the seed. */
  daysAgo: number;
  /** Who writes, how many minutes after the line before, and what. */
  lines: [author: Username, minutesLater: number, content: string][];
  /** The one who has not read the last line. */
  unreadBy?: Username;
}

export const DEMO_CONVERSATIONS: readonly DemoConversation[] = [
  {
    between: ['alex-rivera', 'mike-okafor'],
    daysAgo: 11,
    lines: [
      ['alex-rivera', 0, 'Hi Mike, is 14 km on Sunday too much after 10 last week?'],
      ['mike-okafor', 35, 'A bit. Do 12, and walk two minutes after every fourth.'],
      ['alex-rivera', 4, 'Walking counts?'],
      ['mike-okafor', 2, 'Walking is how people finish.'],
      ['alex-rivera', 4310, '12 done. Knees fine, ego recovering.'],
      ['mike-okafor', 22, 'That is the right order. Tuesday easy, 30 minutes, no watch.'],
      ['alex-rivera', 60, 'No watch. Understood, with difficulty.'],
      ['mike-okafor', 8140, 'How did the tempo run go? Send me the splits when you have a minute.'],
    ],
    unreadBy: 'alex-rivera',
  },
  {
    between: ['alex-rivera', 'diego-salas'],
    daysAgo: 3,
    lines: [
      ['diego-salas', 0, 'Sunday at six by the river? My two are with their grandmother.'],
      ['alex-rivera', 50, 'Six in the morning is a number I have only read about. I am in.'],
      ['diego-salas', 3, 'Bring the bananas, as promised.'],
    ],
  },
  {
    between: ['alex-rivera', 'sarah-moreno'],
    daysAgo: 18,
    lines: [
      ['alex-rivera', 0, 'Do two strength days fit between three runs, or will my legs fall off?'],
      ['sarah-moreno', 120, 'They fit. Monday and Thursday, never the day before your long run.'],
      ['alex-rivera', 15, 'Thank you! My knees send their regards.'],
    ],
  },
  {
    between: ['priya-raman', 'sarah-moreno'],
    daysAgo: 6,
    lines: [
      ['priya-raman', 0, 'Is it normal that my hands hurt more than my legs?'],
      ['sarah-moreno', 41, 'Yes. Chalk, and let the bar rest in your fingers, not in your palm.'],
      ['priya-raman', 2900, 'It works. Also: 60 kg today. Sixty!'],
      ['sarah-moreno', 12, 'I read that twice because I liked it so much. Film the next one for me.'],
      ['priya-raman', 1500, 'Filmed. My son is the cameraman, so half of it is the ceiling.'],
    ],
    unreadBy: 'sarah-moreno',
  },
  {
    between: ['nora-quintana', 'lucia-fernandez'],
    daysAgo: 4,
    lines: [
      ['nora-quintana', 0, 'Which flow after a night shift, when I am tired but not sleepy?'],
      ['lucia-fernandez', 180, 'The short one. Legs up the wall first, ten minutes, phone in the kitchen.'],
      ['nora-quintana', 900, 'Phone in the kitchen was the hard part. Slept until two.'],
    ],
    unreadBy: 'lucia-fernandez',
  },
  {
    between: ['tomas-herrera', 'hana-sato'],
    daysAgo: 2,
    lines: [
      ['tomas-herrera', 0, 'Is the deep end cold?'],
      ['hana-sato', 20, 'It is the same water, Tomás. See you Thursday.'],
    ],
    unreadBy: 'tomas-herrera',
  },
];
