import { texts } from '../shared/language.ts';
import { de } from './de/invites.ts';
import { en } from './en/invites.ts';

export const invites = texts(en, de);
