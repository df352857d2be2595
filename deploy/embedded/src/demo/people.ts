/** The password of all demo accounts (DEMO-1), which the launcher prints. */
export const DEMO_PASSWORD = 'pulso-demo';

/** What the demo's coaches ask (DEMO-2), in minor units. */
export const DEMO_PRICE = { minor: 40_000, currency: 'MXN' } as const;

export type Username =
  | 'sarah-moreno'
  | 'mike-okafor'
  | 'lucia-fernandez'
  | 'andres-villalobos'
  | 'hana-sato'
  | 'alex-rivera'
  | 'nora-quintana'
  | 'diego-salas'
  | 'priya-raman'
  | 'tomas-herrera'
  | 'emma-lindqvist';

export interface DemoPerson {
  username: Username;
  name: string;
  email: string;
  isCoach: boolean;
  bio: string;
  specialties: string[];
  /** When they signed up, in days before the seed. */
  joinedDaysAgo: number;
  /** Whether the launcher prints the account: one of each kind is enough to try everything. */
  printed?: true;
  follows: Username[];
}

export const DEMO_PEOPLE: readonly DemoPerson[] = [
  {
    username: 'sarah-moreno',
    name: 'Sarah Moreno',
    email: 'sarah@demo.pulso.fit',
    isCoach: true,
    bio: 'Strength coach. I help busy people get strong with three honest sessions a week.',
    specialties: ['Weight Training', 'Strength Training', 'CrossFit'],
    joinedDaysAgo: 64,
    printed: true,
    follows: ['mike-okafor', 'lucia-fernandez', 'alex-rivera', 'priya-raman'],
  },
  {
    username: 'mike-okafor',
    name: 'Mike Okafor',
    email: 'mike@demo.pulso.fit',
    isCoach: true,
    bio: 'Marathoner turned running coach. Easy miles, strong finishes.',
    specialties: ['Running', 'Cardio', 'Nutrition'],
    joinedDaysAgo: 61,
    printed: true,
    follows: ['sarah-moreno', 'hana-sato', 'alex-rivera', 'diego-salas'],
  },
  {
    username: 'lucia-fernandez',
    name: 'Lucía Fernández',
    email: 'lucia@demo.pulso.fit',
    isCoach: true,
    bio: 'Yoga and mobility, for people who sit too much. Breath first, then everything else.',
    specialties: ['Yoga', 'Pilates', 'Flexibility'],
    joinedDaysAgo: 58,
    printed: true,
    follows: ['sarah-moreno', 'hana-sato', 'nora-quintana', 'tomas-herrera'],
  },
  {
    username: 'andres-villalobos',
    name: 'Andrés Villalobos',
    email: 'andres@demo.pulso.fit',
    isCoach: true,
    bio: 'Boxing coach in Guadalajara. Footwork before fireworks. Beginners are my favourite people.',
    specialties: ['Boxing', 'HIIT', 'Martial Arts', 'Cardio'],
    joinedDaysAgo: 44,
    follows: ['sarah-moreno', 'diego-salas', 'emma-lindqvist'],
  },
  {
    username: 'hana-sato',
    name: 'Hana Sato',
    email: 'hana@demo.pulso.fit',
    isCoach: true,
    bio: 'I teach adults to swim and cyclists to rest.',
    specialties: ['Swimming', 'Cycling'],
    joinedDaysAgo: 37,
    follows: ['mike-okafor', 'lucia-fernandez', 'emma-lindqvist'],
  },
  {
    username: 'alex-rivera',
    name: 'Alex Rivera',
    email: 'alex@demo.pulso.fit',
    isCoach: false,
    bio: 'Training for my first half marathon.',
    specialties: [],
    joinedDaysAgo: 33,
    printed: true,
    follows: ['mike-okafor', 'sarah-moreno', 'diego-salas'],
  },
  {
    username: 'nora-quintana',
    name: 'Nora Quintana',
    email: 'nora@demo.pulso.fit',
    isCoach: false,
    bio: 'Nurse on night shifts. Yoga at odd hours.',
    specialties: [],
    joinedDaysAgo: 31,
    follows: ['lucia-fernandez', 'sarah-moreno', 'priya-raman'],
  },
  {
    username: 'diego-salas',
    name: 'Diego Salas',
    email: 'diego@demo.pulso.fit',
    isCoach: false,
    bio: 'Father of two, up at five, usually running.',
    specialties: [],
    joinedDaysAgo: 30,
    follows: ['mike-okafor', 'andres-villalobos', 'alex-rivera', 'emma-lindqvist'],
  },
  {
    username: 'priya-raman',
    name: 'Priya Raman',
    email: 'priya@demo.pulso.fit',
    isCoach: false,
    bio: 'Learning to lift at 41. It is going better than expected.',
    specialties: [],
    joinedDaysAgo: 29,
    follows: ['sarah-moreno', 'nora-quintana', 'lucia-fernandez'],
  },
  {
    username: 'tomas-herrera',
    name: 'Tomás Herrera',
    email: 'tomas@demo.pulso.fit',
    isCoach: false,
    bio: '',
    specialties: [],
    joinedDaysAgo: 22,
    follows: ['lucia-fernandez', 'hana-sato'],
  },
  {
    username: 'emma-lindqvist',
    name: 'Emma Lindqvist',
    email: 'emma@demo.pulso.fit',
    isCoach: false,
    bio: 'Open water in summer, boxing gloves in winter.',
    specialties: [],
    joinedDaysAgo: 19,
    follows: ['hana-sato', 'andres-villalobos', 'diego-salas', 'tomas-herrera'],
  },
];

export interface DemoReview {
  coach: Username;
  author: Username;
  rating: 1 | 2 | 3 | 4 | 5;
  daysAgo: number;
  comment: string;
}

export const DEMO_REVIEWS: readonly DemoReview[] = [
  {
    coach: 'sarah-moreno',
    author: 'priya-raman',
    rating: 5,
    daysAgo: 9,
    comment:
      'I had never touched a barbell. Sarah explained every lift twice, never made me feel silly, and I deadlifted my own weight after seven weeks.',
  },
  {
    coach: 'sarah-moreno',
    author: 'alex-rivera',
    rating: 5,
    daysAgo: 17,
    comment: 'Two strength days a week and my knees stopped complaining on long runs.',
  },
  {
    coach: 'sarah-moreno',
    author: 'nora-quintana',
    rating: 4,
    daysAgo: 12,
    comment: 'Clear plans that fit around shifts. I would love more videos.',
  },
  {
    coach: 'mike-okafor',
    author: 'alex-rivera',
    rating: 5,
    daysAgo: 6,
    comment:
      'From out of breath at the corner to 10 km without stopping. Patient, and funny at six in the morning.',
  },
  {
    coach: 'mike-okafor',
    author: 'diego-salas',
    rating: 5,
    daysAgo: 20,
    comment: 'He made me run slower for a month. I was annoyed, and then I was faster.',
  },
  {
    coach: 'mike-okafor',
    author: 'emma-lindqvist',
    rating: 4,
    daysAgo: 8,
    comment: 'Good advice on eating before races. Answers take a day or two.',
  },
  {
    coach: 'lucia-fernandez',
    author: 'nora-quintana',
    rating: 5,
    daysAgo: 14,
    comment: 'The evening flow is the only thing that gets me to sleep after a night shift.',
  },
  {
    coach: 'lucia-fernandez',
    author: 'tomas-herrera',
    rating: 5,
    daysAgo: 5,
    comment: 'I can tie my shoes without making a noise again.',
  },
  {
    coach: 'lucia-fernandez',
    author: 'priya-raman',
    rating: 4,
    daysAgo: 11,
    comment: 'Calm, precise, good for lifters with stiff hips.',
  },
  {
    coach: 'andres-villalobos',
    author: 'diego-salas',
    rating: 4,
    daysAgo: 10,
    comment: 'Six rounds that feel like twelve. He watches your feet the whole time, as promised.',
  },
  {
    coach: 'andres-villalobos',
    author: 'emma-lindqvist',
    rating: 5,
    daysAgo: 4,
    comment: 'The friendliest boxing gym I know. Nobody laughed at my jab.',
  },
  {
    coach: 'hana-sato',
    author: 'emma-lindqvist',
    rating: 5,
    daysAgo: 7,
    comment: 'Hana fixed my breathing in two lessons. I swam across the lake in August.',
  },
  {
    coach: 'hana-sato',
    author: 'tomas-herrera',
    rating: 5,
    daysAgo: 3,
    comment: 'I was afraid of deep water for thirty years. Not any more.',
  },
];
