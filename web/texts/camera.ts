import { texts } from '../shared/language.ts';
import { de } from './de/camera.ts';
import { en } from './en/camera.ts';

export const camera = texts(en, de);
