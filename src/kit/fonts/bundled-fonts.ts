import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type FontWeight = 400 | 600;

/** The families in the order in which they are asked for a character: Latin, Greek and Cyrillic; Arabic; Hebrew. */
export const bundledFamilies = ['Inter', 'Noto Sans Arabic', 'Noto Sans Hebrew'] as const;

/**
 * Makes what draws text in pictures (librsvg, by way of fontconfig) find the bundled fonts before those of the
 * machine, so that pictures look the same on a machine without fonts. Call it before the first text is drawn;
 * fontconfig looks once.
 */
export function useBundledFonts(): void {
  // Not a setting: it is how the library, which reads the environment of the process itself, is told of a file.
  process.env.FONTCONFIG_FILE = fileURLToPath(new URL('fonts.conf', import.meta.url));
}

/** The font files of a weight, TrueType, in the order of the families. */
export function readBundledFonts(weight: FontWeight): Buffer[] {
  return files[weight].map((url) => readFileSync(new URL(url)));
}

const files: Readonly<Record<FontWeight, readonly string[]>> = {
  400: [
    import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
    import.meta.resolve('@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'),
    import.meta.resolve('@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'),
  ],
  600: [
    import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
    import.meta.resolve('@expo-google-fonts/noto-sans-arabic/600SemiBold/NotoSansArabic_600SemiBold.ttf'),
    import.meta.resolve('@expo-google-fonts/noto-sans-hebrew/600SemiBold/NotoSansHebrew_600SemiBold.ttf'),
  ],
};
