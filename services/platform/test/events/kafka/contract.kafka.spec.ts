import { describeEventBus } from '../bus-suite.js';
import { openKafkaHouse } from './kafka-fixture.js';

describeEventBus('the event bus on Kafka', () => openKafkaHouse(1));
