import { texts } from '../shared/language.ts';
import { de } from './de/audit.ts';
import { en } from './en/audit.ts';

export const auditTexts = texts(en, de);
