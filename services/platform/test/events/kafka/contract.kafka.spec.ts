import { describeEventBus } from '../bus-suite.js';
import { openKafkaHouse } from './kafka-house.js';

describeEventBus('the event bus on Kafka', () => openKafkaHouse(1));
