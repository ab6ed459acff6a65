import { texts } from '../shared/language.ts';
import { de } from './de/places.ts';
import { en } from './en/places.ts';

export const places = texts(en, de);
