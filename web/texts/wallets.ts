import { texts } from '../shared/language.ts';
import { de } from './de/wallets.ts';
import { en } from './en/wallets.ts';

export const wallets = texts(en, de);
