/** Lanes of a pool from above, with a swimmer. */
export function pool(d) {
  d.rect(
    0,
    0,
    d.width,
    d.height,
    d.gradient(
      [
        [0, '#5cc3d8'],
        [1, '#2a97bb'],
      ],
      { x2: 1 },
    ),
  );
  for (let i = 0; i < 90; i++) {
    const [x, y, w] = [d.between(0, d.width), d.between(0, d.height), d.between(40, 130)];
    d.line(
      `M${x} ${y} q${w / 2} ${d.between(-26, 26)} ${w} 0`,
      '#c9f1f5',
      5,
      `opacity="${d.between(0.1, 0.4)}"`,
    );
  }
  for (let lane = 0; lane < 5; lane++) {
    const y = d.height * (0.02 + lane * 0.24);
    d.rect(0, y + d.height * 0.105, d.width, 26, '#0f4c75', 'opacity=".5"');
    for (let x = -20; x < d.width + 40; x += 44)
      d.rect(x, y - 11, 38, 22, Math.floor(x / 176) % 2 ? '#fff' : '#e8503a', 'rx="11"');
  }
  const [x, y] = [d.width * 0.56, d.height * 0.385];
  d.path(
    `M${x - 30} ${y} C${x - 300} ${y - 70} ${x - 420} ${y - 30} ${x - 560} ${y - 64} L${x - 560} ${y + 64} C${x - 420} ${y + 30} ${x - 300} ${y + 70} ${x - 30} ${y} Z`,
    '#fff',
    'opacity=".32"',
  );
  d.ellipse(x - 110, y, 150, 38, '#d99a6c')
    .ellipse(x - 190, y, 66, 36, '#23252b')
    .line(
      `M${x - 240} ${y - 14} L${x - 360} ${y - 26} M${x - 240} ${y + 14} L${x - 350} ${y + 24}`,
      '#d99a6c',
      26,
    );
  d.line(`M${x} ${y - 28} Q${x + 70} ${y - 84} ${x + 170} ${y - 50}`, '#d99a6c', 25).line(
    `M${x - 20} ${y + 28} Q${x - 60} ${y + 90} ${x - 150} ${y + 74}`,
    '#d99a6c',
    24,
  );
  d.ellipse(x + 62, y, 48, 38, '#ffd166').ellipse(x + 74, y - 12, 16, 8, '#fff', 'opacity=".5"');
  for (let i = 0; i < 40; i++)
    d.circle(
      x - d.between(300, 420),
      y + d.between(-60, 60),
      d.between(4, 15),
      '#fff',
      `opacity="${d.between(0.3, 0.8)}"`,
    );
}

/** A mat in a room with a plant, by day or by night. */
export function mat(d, { night = false } = {}) {
  d.background(...(night ? ['#2b2f4a', '#3a3d5c'] : ['#f3e7da', '#efdcc8']));
  const [wx, wy, ww, wh] = [d.width * 0.52, d.height * 0.08, d.width * 0.34, d.height * 0.46];
  d.rect(wx - 18, wy - 18, ww + 36, wh + 36, night ? '#1e2136' : '#fffaf3', 'rx="10"');
  d.rect(
    wx,
    wy,
    ww,
    wh,
    d.gradient(
      night
        ? [
            [0, '#10142e'],
            [1, '#2d3a6b'],
          ]
        : [
            [0, '#a9d6e5'],
            [1, '#f9e7c9'],
          ],
    ),
  );
  if (night) {
    d.circle(wx + ww * 0.7, wy + wh * 0.3, 44, '#fdf3cf').circle(
      wx + ww * 0.67,
      wy + wh * 0.27,
      40,
      '#141937',
    );
    for (let i = 0; i < 40; i++)
      d.circle(
        wx + d.between(0, ww),
        wy + d.between(0, wh * 0.8),
        d.between(1, 3),
        '#fff',
        `opacity="${d.between(0.3, 0.9)}"`,
      );
  } else {
    d.circle(wx + ww * 0.72, wy + wh * 0.34, 46, '#fff3cf');
    d.path(
      `M${wx} ${wy + wh} L${wx} ${wy + wh * 0.7} Q${wx + ww * 0.3} ${wy + wh * 0.5} ${wx + ww * 0.6} ${wy + wh * 0.72} T${wx + ww} ${wy + wh * 0.62} L${wx + ww} ${wy + wh} Z`,
      '#8fb98c',
    );
  }
  d.rect(wx + ww / 2 - 8, wy, 16, wh, night ? '#1e2136' : '#fffaf3').rect(
    wx,
    wy + wh / 2 - 8,
    ww,
    16,
    night ? '#1e2136' : '#fffaf3',
  );
  d.rect(
    0,
    d.height * 0.68,
    d.width,
    d.height * 0.32,
    d.gradient(
      night
        ? [
            [0, '#4a3a44'],
            [1, '#33272f'],
          ]
        : [
            [0, '#d9b48c'],
            [1, '#c69a6e'],
          ],
    ),
  );
  for (let i = 0; i < 6; i++)
    d.line(`M0 ${d.height * (0.71 + i * 0.055)} H${d.width}`, '#000', 2, 'opacity=".12"');
  d.path(
    `M${wx - 260} ${d.height} L${wx - 60} ${d.height * 0.68} L${wx + ww * 0.7} ${d.height * 0.68} L${wx + ww * 0.4} ${d.height} Z`,
    '#fff',
    `opacity="${night ? 0.05 : 0.22}"`,
  );
  d.path(
    `M${d.width * 0.2} ${d.height * 0.92} L${d.width * 0.28} ${d.height * 0.76} L${d.width * 0.78} ${d.height * 0.76} L${d.width * 0.8} ${d.height * 0.92} Z`,
    night ? '#5f6fb0' : '#7c6bb0',
  );
  const [x, y] = [d.width * 0.52, d.height * 0.84];
  const skin = '#d99a6c';
  d.line(`M${x - 150} ${y - 10} Q${x - 60} ${y + 34} ${x + 30} ${y}`, '#23252b', 58).line(
    `M${x + 150} ${y - 10} Q${x + 60} ${y + 34} ${x - 30} ${y}`,
    '#2d2f3a',
    58,
  );
  d.line(`M${x} ${y - 30} L${x} ${y - 190}`, '#e8503a', 96).line(
    `M${x} ${y - 230} L${x} ${y - 262}`,
    skin,
    34,
  );
  d.line(`M${x - 40} ${y - 212} Q${x - 130} ${y - 130} ${x - 128} ${y - 26}`, skin, 28).line(
    `M${x + 40} ${y - 212} Q${x + 130} ${y - 130} ${x + 128} ${y - 26}`,
    skin,
    28,
  );
  d.circle(x, y - 300, 50, skin)
    .path(`M${x - 54} ${y - 296} a54 56 0 0 1 108 0 q-20 -34 -54 -36 q-34 2 -54 36 Z`, '#2b1c16')
    .circle(x, y - 366, 26, '#2b1c16');
  d.line(
    `M${x - 26} ${y - 294} q8 7 16 0 M${x + 10} ${y - 294} q8 7 16 0 M${x - 12} ${y - 272} q12 9 24 0`,
    '#5b3624',
    4,
  );
  d.group(`translate(${d.width * 0.14} ${d.height * 0.72})`, () => {
    for (const [deg, l] of [
      [-46, 210],
      [-22, 260],
      [4, 290],
      [28, 250],
      [52, 200],
    ])
      d.path(
        `M0 0 Q${-l * 0.16} ${-l * 0.55} 0 ${-l} Q${l * 0.16} ${-l * 0.55} 0 0 Z`,
        deg % 4 ? '#4f8a5b' : '#3d7550',
        `transform="rotate(${deg})"`,
      );
    d.path('M-70 0 H70 L52 120 H-52 Z', '#c8553d').rect(-78, -8, 156, 26, '#d9694f', 'rx="6"');
  });
}

/** Shoes by the door on a rainy day. */
export function shoes(d) {
  d.background('#cfd8d6', '#bcc8c7');
  d.rect(d.width * 0.56, 0, d.width * 0.36, d.height * 0.72, '#3d5a66').rect(
    d.width * 0.6,
    d.height * 0.06,
    d.width * 0.28,
    d.height * 0.4,
    d.gradient([
      [0, '#7d99a6'],
      [1, '#a9bcc2'],
    ]),
  );
  for (let i = 0; i < 90; i++) {
    const [x, y] = [d.between(d.width * 0.6, d.width * 0.87), d.between(d.height * 0.07, d.height * 0.42)];
    d.line(`M${x} ${y} l-8 34`, '#e6f1f3', 4, `opacity="${d.between(0.3, 0.8)}"`);
  }
  d.circle(d.width * 0.6, d.height * 0.56, 16, '#e9b949');
  d.rect(
    0,
    d.height * 0.72,
    d.width,
    d.height * 0.28,
    d.gradient([
      [0, '#a77b55'],
      [1, '#8a6242'],
    ]),
  ).rect(d.width * 0.1, d.height * 0.8, d.width * 0.66, d.height * 0.16, '#5b6b5e', 'rx="14"');
  const shoe = (x, y, s, colour, flip) =>
    d.group(`translate(${x} ${y}) scale(${flip ? -s : s} ${s})`, () => {
      d.ellipse(0, 60, 210, 18, '#000', 'opacity=".25"').path(
        'M-200 30 Q-210 62 -160 62 H190 Q214 62 206 30 Z',
        '#fff8ee',
      );
      d.path(
        'M-196 34 C-206 -40 -190 -110 -150 -120 C-110 -126 -100 -90 -60 -84 C-10 -76 30 -40 90 -24 C150 -10 206 -6 206 34 Z',
        colour,
      );
      d.path('M-196 34 C-204 -30 -190 -100 -154 -116 C-150 -60 -140 0 -150 34 Z', '#23252b', 'opacity=".35"');
      d.path('M-60 34 Q20 20 96 -22 C150 -10 206 -6 206 34 Z', '#fff', 'opacity=".22"');
      d.line('M-62 -78 l34 -26 M-30 -66 l34 -24 M2 -52 l32 -24 M34 -38 l30 -22', '#fff8ee', 9);
    });
  shoe(d.width * 0.32, d.height * 0.82, 1.25, '#e8503a');
  shoe(d.width * 0.56, d.height * 0.87, 1.25, '#ef6d52');
  for (let i = 0; i < 9; i++)
    d.ellipse(
      d.between(d.width * 0.1, d.width * 0.9),
      d.height * d.between(0.9, 0.98),
      d.between(16, 60),
      d.between(4, 9),
      '#dfeaec',
      'opacity=".35"',
    );
}
