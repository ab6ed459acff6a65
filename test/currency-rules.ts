import type { Sources } from './architecture-rules.ts';
import { lineOf, uncommented } from './source-text.ts';

/** Which currencies there are, and how many decimals each has, says one table: Intl lacks some, and rounds seventeen. */
export function currenciesAreOfOneTable(sources: Sources): string[] {
  return [...sources]
    .filter(
      ([path]) =>
        /^(?:src|web|tools|scripts|bench)\/.*\.tsx?$/.test(path) && path !== 'src/kit/money/shown-amount.ts',
    )
    .flatMap(([path, text]) =>
      [...uncommented(text).matchAll(/supportedValuesOf\('currency'\)|style: 'currency'/g)].map(
        ({ index }) =>
          `${path}:${lineOf(text, index)} asks Intl about currencies: src/kit/money/currencies.ts knows them`,
      ),
    );
}
