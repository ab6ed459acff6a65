import { texts } from '../shared/language.ts';
import { de } from './de/webhooks.ts';
import { en } from './en/webhooks.ts';

export const webhooks = texts(en, de);
