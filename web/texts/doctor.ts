import { texts } from '../shared/language.ts';
import { de } from './de/doctor.ts';
import { en } from './en/doctor.ts';

export const doctor = texts(en, de);
