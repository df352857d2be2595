/**
 * The landing page's film, as a pure function of time: a pulse draws itself on a line, and every beat that has passed
 * grows soft and becomes a hill. Runs in the browser that `render.mjs` starts; whatever moves comes back to where it
 * was after LOOP seconds, so the film has no seam.
 */
export const WIDTH = 1600;
export const HEIGHT = 900;
export const FPS = 25;
export const LOOP = 10;

/** Colours of src/app/theme.ts; top and bottom are the page's own, so that the film has no edge. */
export const MOODS = {
  light: {
    page: '#faf8f6',
    sky: ['#fdf1ec', '#fddfd6', '#fbcfc2'],
    sun: ['#fa9a89', '#fdbdb1'],
    halo: 'rgb(250 154 137 / 42%)',
    hills: [
      ['#f9cdc0', '#fbe0d7'],
      ['#f4b5a4', '#fad6cb'],
      ['#ec9a87', '#f9cdc0'],
    ],
    ground: ['#fbdcd3', '#fcece6'],
    lane: '232 80 58',
    line: '#e8503a',
    core: '#c93a26',
    glow: 'rgb(232 80 58 / 45%)',
    spark: '#ffffff',
    grain: 5,
  },
  dark: {
    page: '#171412',
    sky: ['#1b1614', '#2a1b17', '#472519'],
    sun: ['#f47c68', '#c93a26'],
    halo: 'rgb(232 80 58 / 38%)',
    hills: [
      ['#4a2a22', '#321f1a'],
      ['#3a231d', '#271b17'],
      ['#2c1d19', '#1f1715'],
    ],
    ground: ['#241a17', '#1a1513'],
    lane: '245 142 124',
    line: '#f58e7c',
    core: '#ffd2c8',
    glow: 'rgb(244 124 104 / 70%)',
    spark: '#fff1ee',
    grain: 4,
  },
};

const TAU = Math.PI * 2;
/** Where the pulse is, and the height of its line at rest. */
const HEAD = { x: 992, y: 640 };
const SPEED = 150;
/** The first frame, which is the poster too, has a beat before the sun. */
const START = 3.3;
/** Seconds from one beat to the next, and each beat's hill: its height and half its width. */
const BEAT = 2;
const HILLS = [
  { height: 96, width: 120 },
  { height: 58, width: 100 },
  { height: 124, width: 135 },
  { height: 40, width: 110 },
  { height: 82, width: 105 },
];

const smooth = (from, to, x) => {
  const t = Math.min(1, Math.max(0, (x - from) / (to - from)));
  return t * t * (3 - 2 * t);
};
const bump = (x, width) => Math.exp(-((x / width) ** 2));

/** One heartbeat, upwards: a small wave, the sharp rise and its recoil, a round wave. */
const heartbeat = (x) =>
  12 * bump(x + 62, 15) -
  14 * bump(x + 20, 8) +
  132 * bump(x, 11) -
  40 * bump(x - 22, 10) +
  22 * bump(x - 72, 22);

/** Height of the line above its rest at `x`: the beats that have passed there, each as soft as it is old. */
function rise(x, time) {
  const age = (HEAD.x - x) / SPEED;
  const soft = smooth(0.9, 4.6, age);
  const sharp = 1 - smooth(0.7, 3.4, age);
  let sum = 0;
  const first = Math.floor(time / BEAT) - 9;
  for (let index = first; index <= first + 12; index += 1) {
    const centre = HEAD.x - SPEED * (time - (index + 0.5) * BEAT);
    const hill = HILLS[((index % HILLS.length) + HILLS.length) % HILLS.length];
    sum +=
      sharp * heartbeat((x - centre) / (1 + 1.6 * soft)) + soft * hill.height * bump(x - centre, hill.width);
  }
  // The road climbs towards where it came from.
  return sum + 46 * smooth(1.5, 7, age);
}

/** How far the current beat has come through the head: 1 at its peak. */
const throb = (time) => bump(((((time / BEAT) % 1) + 1) % 1) - 0.54, 0.13);

function gradient(ctx, top, bottom, colours) {
  const fill = ctx.createLinearGradient(0, top, 0, bottom);
  colours.forEach((colour, index) => fill.addColorStop(index / (colours.length - 1), colour));
  return fill;
}

function trace(ctx, from, to, height) {
  ctx.beginPath();
  for (let x = from; x <= to; x += 1) ctx.lineTo(x, height(x));
}

function fillBelow(ctx, height, fill) {
  trace(ctx, -2, WIDTH + 2, height);
  ctx.lineTo(WIDTH + 2, HEIGHT);
  ctx.lineTo(-2, HEIGHT);
  ctx.fillStyle = fill;
  ctx.fill();
}

function drawSky(ctx, mood, time) {
  ctx.fillStyle = gradient(ctx, 0, 700, [mood.page, mood.page, ...mood.sky]);
  ctx.fillRect(0, 0, WIDTH, HEIGHT);
  const radius = 420 + 26 * throb(time);
  const halo = ctx.createRadialGradient(HEAD.x, 590, 60, HEAD.x, 590, radius);
  halo.addColorStop(0, mood.halo);
  halo.addColorStop(0.45, mood.halo.replace(/\d+%/, '14%'));
  halo.addColorStop(1, mood.halo.replace(/\d+%/, '0%'));
  ctx.fillStyle = halo;
  ctx.fillRect(0, 0, WIDTH, HEIGHT);
  ctx.beginPath();
  ctx.arc(HEAD.x, 588, 118, 0, TAU);
  ctx.fillStyle = gradient(ctx, 470, 650, mood.sun);
  ctx.fill();
}

/** Far hills stand; the nearer pass, by a whole number of their waves in a loop. */
function drawHills(ctx, mood, time) {
  const turn = (time / LOOP) * TAU;
  const far = (x) =>
    588 -
    34 * Math.sin(x / 211 + 0.6) -
    16 * Math.sin(x / 83 + 2) -
    5 * Math.sin(x / 31) -
    26 * smooth(900, 0, x);
  const wave = (x, length) => (x / length) * TAU;
  const middle = (x) =>
    618 -
    26 * Math.sin(wave(x, 760) + turn + 2.2) -
    11 * Math.sin(wave(x, 760 / 3) + 3 * turn + 0.4) -
    40 * smooth(1100, 100, x) -
    34 * smooth(1250, 1600, x);
  const near = (x) =>
    654 -
    22 * Math.sin(wave(x, 940) + turn + 4.4) -
    9 * Math.sin(wave(x, 470) + 2 * turn + 1) -
    30 * smooth(800, 0, x) -
    42 * smooth(1180, 1600, x);
  [far, middle, near].forEach((height, index) =>
    fillBelow(ctx, height, gradient(ctx, 500 + 40 * index, 760, mood.hills[index])),
  );
}

/** The ground under the line, with the lanes of a track that the same hills lift. */
function drawGround(ctx, mood, time) {
  const line = (x) => HEAD.y - (x <= HEAD.x ? rise(x, time) : rise(HEAD.x, time) * bump(x - HEAD.x, 26));
  fillBelow(ctx, line, gradient(ctx, 470, 900, [mood.ground[0], mood.ground[1], mood.page]));
  for (let lane = 1; lane <= 5; lane += 1) {
    const drop = 15 * lane + 5.5 * lane * lane;
    const lift = 1 - 0.16 * lane;
    const height = (x) => HEAD.y + drop - lift * rise(x, time) * smooth(HEAD.x + 40, HEAD.x - 130, x);
    const fade = ctx.createLinearGradient(0, 0, WIDTH, 0);
    const alpha = 0.34 - 0.055 * lane;
    fade.addColorStop(0, `rgb(${mood.lane} / ${alpha * 0.5})`);
    fade.addColorStop(0.45, `rgb(${mood.lane} / ${alpha})`);
    fade.addColorStop(1, `rgb(${mood.lane} / ${alpha * 0.35})`);
    trace(ctx, -2, WIDTH + 2, height);
    ctx.strokeStyle = fade;
    ctx.lineWidth = 1.5;
    ctx.stroke();
  }
  return line;
}

function drawLine(ctx, mood, time, line) {
  const beat = throb(time);
  // What is still to come: a quiet rest, straight ahead.
  trace(ctx, HEAD.x, WIDTH + 2, line);
  const ahead = ctx.createLinearGradient(HEAD.x, 0, WIDTH, 0);
  ahead.addColorStop(0, `rgb(${mood.lane} / 0.55)`);
  ahead.addColorStop(1, `rgb(${mood.lane} / 0.12)`);
  ctx.strokeStyle = ahead;
  ctx.lineWidth = 2;
  ctx.stroke();

  trace(ctx, -2, HEAD.x, line);
  ctx.strokeStyle = mood.line;
  ctx.lineWidth = 5;
  ctx.shadowColor = mood.glow;
  ctx.shadowBlur = 22;
  ctx.stroke();
  ctx.shadowBlur = 0;
  const fresh = ctx.createLinearGradient(HEAD.x - 420, 0, HEAD.x, 0);
  fresh.addColorStop(0, `${mood.core}00`);
  fresh.addColorStop(1, mood.core);
  trace(ctx, HEAD.x - 420, HEAD.x, line);
  ctx.strokeStyle = fresh;
  ctx.stroke();

  const y = line(HEAD.x);
  const radius = 46 + 22 * beat;
  const aura = ctx.createRadialGradient(HEAD.x, y, 4, HEAD.x, y, radius);
  aura.addColorStop(0, mood.glow);
  aura.addColorStop(1, mood.glow.replace(/\d+%/, '0%'));
  ctx.fillStyle = aura;
  ctx.fillRect(HEAD.x - radius, y - radius, 2 * radius, 2 * radius);
  ctx.beginPath();
  ctx.arc(HEAD.x, y, 11 + 2 * beat, 0, TAU);
  ctx.fillStyle = mood.line;
  ctx.fill();
  ctx.beginPath();
  ctx.arc(HEAD.x, y, 5 + beat, 0, TAU);
  ctx.fillStyle = mood.spark;
  ctx.fill();
}

/** A fixed, faint noise: keeps the soft colours from falling into bands. */
function grain(ctx, strength) {
  const picture = ctx.getImageData(0, 0, WIDTH, HEIGHT);
  let seed = 7;
  for (let at = 0; at < picture.data.length; at += 4) {
    seed = (seed * 1664525 + 1013904223) >>> 0;
    const noise = (seed / 2 ** 32 - 0.5) * strength;
    for (let channel = 0; channel < 3; channel += 1) picture.data[at + channel] += Math.round(noise);
  }
  ctx.putImageData(picture, 0, 0);
}

export function drawFrame(ctx, mood, seconds) {
  const time = START + seconds;
  ctx.lineJoin = 'round';
  ctx.lineCap = 'round';
  drawSky(ctx, mood, time);
  drawHills(ctx, mood, time);
  drawLine(ctx, mood, time, drawGround(ctx, mood, time));
  grain(ctx, mood.grain);
}
