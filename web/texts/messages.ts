import { texts } from '../shared/language.ts';
import { de } from './de/messages.ts';
import { en } from './en/messages.ts';

export const messages = texts(en, de);
