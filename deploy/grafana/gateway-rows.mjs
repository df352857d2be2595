import { quantile, rate, times } from './service-rows.mjs';

const REQUESTS = 'pulso_http_request_duration_seconds';

export const doorRow = {
  title: 'At the door',
  panels: [
    {
      title: 'Requests',
      about: 'By class of status',
      unit: 'reqps',
      expr: `sum by (class) (label_replace(rate(${REQUESTS}_count[$__rate_interval]), "class", "\${1}xx", "status", "(.).*"))`,
      legend: '{{class}}',
    },
    { title: 'Time to answer', unit: 's', lines: times(REQUESTS, '') },
    {
      title: 'Failures (5xx)',
      unit: 'reqps',
      lines: {
        '{{route}}': rate(`${REQUESTS}_count`, 'status=~"5.."', 'route'),
        'of these refused because of the load': rate('pulso_http_refusals_total', ''),
      },
    },
  ],
};

/** The windows of deploy/prometheus/rules/slo.yaml that tell most. */
const WINDOWS = ['5m', '1h', '6h', '3d'];
const shareOf = (what) =>
  Object.fromEntries(
    WINDOWS.map((window) => [
      window,
      `gateway:http_${what}:rate${window} / gateway:http_requests:rate${window}`,
    ]),
  );

export const objectivesRow = {
  title: 'Objectives',
  panels: [
    {
      title: 'Share of failed answers',
      about: 'The objective is 0.1 % over 30 days; refusals because of the load are left out',
      unit: 'percentunit',
      lines: shareOf('errors'),
    },
    {
      title: 'Share of answers later than in 0.5 s',
      about: 'The objective is 1 % over 30 days',
      unit: 'percentunit',
      lines: shareOf('slow'),
    },
  ],
};

export const gatewayRows = [
  doorRow,
  objectivesRow,
  {
    title: 'Routes and load',
    panels: [
      {
        title: 'Slowest routes (p99)',
        unit: 's',
        expr: `topk(8, ${quantile(0.99, REQUESTS, '', 'route')})`,
        legend: '{{route}}',
      },
      {
        title: 'Delay of the event loop',
        about: 'New requests are refused while it stays over MAX_EVENT_LOOP_DELAY_MS',
        unit: 's',
        expr: 'pulso_event_loop_delay_seconds',
        legend: '{{instance}}',
      },
      {
        title: 'Pages of guests',
        unit: 'reqps',
        expr: rate('pulso_guest_pages_total', '', 'outcome'),
        legend: '{{outcome}}',
      },
    ],
  },
  {
    title: 'Connections and streams',
    panels: [
      { title: 'Connections', unit: 'short', expr: 'pulso_http_connections', legend: '{{instance}}' },
      {
        title: 'Connections refused',
        unit: 'ops',
        expr: rate('pulso_http_connections_refused_total', '', 'limit'),
        legend: '{{limit}}',
      },
      { title: 'Event streams', unit: 'short', expr: 'pulso_event_streams', legend: '{{instance}}' },
      {
        title: 'Ended streams',
        unit: 'ops',
        expr: rate('pulso_event_streams_ended_total', '', 'reason'),
        legend: '{{reason}}',
      },
      { title: 'Rate limits without Redis', unit: 'ops', expr: rate('pulso_rate_limit_fallbacks_total', '') },
    ],
  },
];
