import { texts } from '../shared/language.ts';
import { de } from './de/orders.ts';
import { en } from './en/orders.ts';

export const orders = texts(en, de);
