import { jest } from '@jest/globals';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';
import { calmIdleConnections } from './idle-connections.js';

it('a connection without requests that wait has no timer to look for them', () => {
  calmIdleConnections();
  jest.useFakeTimers();
  try {
    const queue = Object.assign(Object.create(RequestQueue.prototype) as RequestQueue, {
      pending: [],
      throttledUntil: -1,
      throttleCheckTimeoutId: null,
    });
    queue.checkPendingRequests();
    expect(jest.getTimerCount()).toBe(0);
  } finally {
    jest.useRealTimers();
  }
});
