const plate = (d, x, y, r, colour) => {
  d.rect(x - r * 0.16, y - r, r * 0.32, r * 2, colour, `rx="${r * 0.1}"`);
  d.rect(x - r * 0.16, y - r, r * 0.1, r * 2, '#fff', `rx="${r * 0.05}" opacity=".18"`);
};

/** A bar with plates on the floor of a gym. */
export function barbell(d) {
  d.background('#39424e', '#4d5967');
  for (let i = 0; i < 6; i++)
    d.rect(
      d.width * (0.04 + i * 0.165),
      d.height * 0.08,
      d.width * 0.12,
      d.height * 0.42,
      d.gradient([
        [0, '#5f6e7f'],
        [1, '#536170'],
      ]),
      'rx="8"',
    );
  d.path(
    `M${d.width * 0.1} 0 L${d.width * 0.34} 0 L${d.width * 0.6} ${d.height * 0.7} L${d.width * 0.1} ${d.height * 0.7} Z`,
    '#ffdf9e',
    'opacity=".12"',
  );
  d.rect(
    0,
    d.height * 0.62,
    d.width,
    d.height * 0.38,
    d.gradient([
      [0, '#23282f'],
      [1, '#15191e'],
    ]),
  );
  d.rect(d.width * 0.08, d.height * 0.7, d.width * 0.84, d.height * 0.24, '#8b5e3c', 'rx="10"');
  for (let i = 0; i < 6; i++)
    d.line(
      `M${d.width * 0.1} ${d.height * (0.735 + i * 0.037)} H${d.width * 0.9}`,
      '#734b2d',
      3,
      'opacity=".7"',
    );
  const y = d.height * 0.64;
  d.ellipse(d.width * 0.5, d.height * 0.84, d.width * 0.4, 22, '#000', 'opacity=".35"');
  d.rect(
    d.width * 0.06,
    y - 9,
    d.width * 0.88,
    18,
    d.gradient([
      [0, '#e9edf0'],
      [1, '#8e99a4'],
    ]),
    'rx="9"',
  );
  for (const side of [-1, 1]) {
    const at = (k) => d.width * (0.5 + side * k);
    d.rect(at(0.27) - 9, y - 24, 18, 48, '#aab4bd', 'rx="5"');
    plate(d, at(0.3), y, 215, '#d64532');
    plate(d, at(0.345), y, 215, '#2f6fb0');
    plate(d, at(0.385), y, 150, '#e9b949');
    d.rect(at(0.415) - 16, y - 20, 32, 40, '#23282f', 'rx="8"');
  }
  for (let i = 0; i < 70; i++)
    d.circle(
      d.between(d.width * 0.3, d.width * 0.7),
      d.between(d.height * 0.5, d.height * 0.78),
      d.between(1, 4),
      '#fff',
      `opacity="${d.between(0.05, 0.3)}"`,
    );
}

/** Boxing gloves on a hook. */
export function gloves(d) {
  d.background('#5a2f2b', '#7a3c33');
  for (let row = 0; row < 12; row++)
    for (let i = -1; i < 12; i++)
      d.rect(
        i * 150 + (row % 2) * 75,
        row * 94,
        144,
        88,
        ['#8a4a3c', '#80433a', '#935345'][Math.floor(d.chance() * 3)],
        'rx="4"',
      );
  d.rect(
    0,
    0,
    d.width,
    d.height,
    d.gradient(
      [
        [0, '#ffd9a0', 0.32],
        [1, '#000', 0.45],
      ],
      { radial: [0.5, 0.35, 0.75] },
    ),
  );
  d.rect(d.width * 0.5 - 60, d.height * 0.06, 120, 40, '#23252b', 'rx="10"').line(
    `M${d.width * 0.5} ${d.height * 0.1} v40 q0 30 -34 26`,
    '#c8ccd2',
    14,
  );
  for (const side of [-1, 1]) {
    d.line(
      `M${d.width * 0.5} ${d.height * 0.14} C${d.width * (0.5 + side * 0.02)} ${d.height * 0.22} ${d.width * (0.5 + side * 0.1)} ${d.height * 0.24} ${d.width * (0.5 + side * 0.11)} ${d.height * 0.34}`,
      '#f4ead6',
      9,
    );
    d.group(
      `translate(${d.width * (0.5 + side * 0.12)} ${d.height * 0.36}) scale(${side * 1.15} 1.15) rotate(8)`,
      () => {
        d.path('M-86 0 H86 L96 120 H-96 Z', '#23252b').rect(-90, 34, 180, 34, '#e8e1d2');
        d.path(
          'M-100 116 C-170 200 -176 330 -96 400 C-30 452 92 440 130 366 C164 300 150 190 104 116 Z',
          d.gradient(
            [
              [0, '#f06a4d'],
              [1, '#b5301d'],
            ],
            { x2: 1 },
          ),
        );
        d.path(
          'M104 150 C176 150 214 214 190 282 C172 334 116 330 106 286 C120 250 122 200 104 150 Z',
          '#d94a34',
        );
        d.path(
          'M-120 210 C-140 280 -126 340 -80 372',
          'none',
          'stroke="#ffb3a0" stroke-width="14" stroke-linecap="round" opacity=".7"',
        );
      },
    );
  }
}

/** Kettlebells in a row. */
export function kettlebells(d) {
  d.background('#f2dfc6', '#e8c9a4');
  d.circle(d.width * 0.5, d.height * 0.44, 430, '#f7ead6').rect(
    0,
    d.height * 0.74,
    d.width,
    d.height * 0.26,
    d.gradient([
      [0, '#59616b'],
      [1, '#3c434c'],
    ]),
  );
  for (let i = 0; i < 200; i++)
    d.circle(
      d.between(0, d.width),
      d.between(d.height * 0.75, d.height),
      d.between(1, 3),
      ['#e8503a', '#fff', '#7fb0c4'][Math.floor(d.chance() * 3)],
      'opacity=".35"',
    );
  for (const [x, s, colour] of [
    [0.19, 0.72, '#e9b949'],
    [0.38, 0.9, '#3b82a0'],
    [0.6, 1.1, '#e8503a'],
    [0.83, 0.84, '#5b9468'],
  ]) {
    d.group(`translate(${d.width * x} ${d.height * 0.82}) scale(${s * 1.25})`, () => {
      d.ellipse(6, 6, 150, 18, '#000', 'opacity=".3"').path(
        'M-76 -206 C-110 -320 -74 -350 0 -350 C74 -350 110 -320 76 -206',
        'none',
        'stroke="#2b2f36" stroke-width="36" stroke-linecap="round"',
      );
      d.path('M-100 0 C-180 -80 -150 -226 0 -226 C150 -226 180 -80 100 0 Z', '#2b2f36').path(
        'M-112 -124 H112 C130 -90 128 -60 118 -34 H-118 C-128 -60 -130 -90 -112 -124 Z',
        colour,
      );
      d.path(
        'M-96 -60 C-112 -120 -84 -180 -30 -200',
        'none',
        'stroke="#fff" stroke-width="12" stroke-linecap="round" opacity=".35"',
      );
    });
  }
}
