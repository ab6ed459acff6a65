import { texts } from '../shared/language.ts';
import { de } from './de/scanner-offline.ts';
import { en } from './en/scanner-offline.ts';

export const scannerOffline = texts(en, de);
