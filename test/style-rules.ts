import { posix } from 'node:path';
import type { Sources } from './architecture-rules.ts';

/**
 * Styles stay in their area. What web/shared defines is of all, what the folder of an app itself defines is of all areas of the app, and
 * what the folder of an area defines is of this area alone: no other defines it, no other component writes it, and a selector there names
 * one such class, so that it reaches nothing else.
 */
export function stylesStayInTheirArea(sources: Sources): string[] {
  return apps.flatMap((app) => stylesOf(app, sources));
}

const apps = ['web/console', 'web/scanner'];
const sharedArea = 'web/shared';

function stylesOf(app: string, sources: Sources): string[] {
  const selectors = [...sources]
    .filter(([path]) => path.endsWith('.css') && [app, sharedArea].includes(appOf(path)))
    .flatMap(([path, text]) => selectorsOf(text).map((selector) => ({ path, area: areaOf(path), selector })));
  const common = new Set(
    selectors.flatMap(({ area, selector }) => (isCommon(area) ? classesIn(selector) : [])),
  );
  const owners = new Map<string, string>();
  const faults = selectors.flatMap(({ path, area, selector }) => {
    if (isCommon(area)) return [];
    const own = classesIn(selector).filter((name) => !common.has(name));
    if (own.length === 0)
      return [`${path}: "${selector}" reaches other areas: name a class of ${area} in it`];
    return own.flatMap((name) => {
      const owner = owners.get(name) ?? area;
      owners.set(name, owner);
      return owner === area
        ? []
        : [`${path} defines .${name}, as ${owner} does: take another name, or move it to ${app}`];
    });
  });
  const written = [...sources].filter(([path]) => /^web\/.*\.tsx?$/.test(path));
  return [
    ...faults,
    ...written.flatMap(([path, text]) =>
      [app, sharedArea].includes(appOf(path))
        ? [...classesWrittenIn(text)]
            .map((name) => ({ name, owner: owners.get(name) ?? areaOf(path) }))
            .filter(({ owner }) => owner !== areaOf(path))
            .map(
              ({ name, owner }) =>
                `${path} writes .${name} of ${owner}: take another name, or move its style to ${app}`,
            )
        : [],
    ),
  ];
}

/** Whether an area is an app's own folder, or what the apps share. */
function isCommon(area: string): boolean {
  return area === sharedArea || apps.includes(area);
}

/** `web/console/cards` of what is in that folder or below, `web/console` of what the app's own folder holds. */
function areaOf(path: string): string {
  return posix.dirname(path).split('/').slice(0, 3).join('/');
}

function appOf(path: string): string {
  return path.split('/').slice(0, 2).join('/');
}

function selectorsOf(css: string): string[] {
  return [...css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};]+)\{/g)]
    .flatMap(([, list = '']) => list.split(/,(?![^(]*\))/))
    .map((selector) => selector.trim().replace(/\s+/g, ' '))
    .filter((selector) => selector !== '' && !/^(?:@|\d|from$|to$)/.test(selector));
}

function classesIn(selector: string): string[] {
  return [...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = '']) => name);
}

/** The words of all attributes `class`. */
function classesWrittenIn(text: string): Set<string> {
  const attributes = [...text.matchAll(/\bclass=(?:"([^"]*)"|\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\})/g)];
  return new Set(
    attributes.flatMap(([, plain, expression = '']) => {
      const quoted = [...expression.matchAll(/'([^']*)'/g)].map(([, words = '']) => words);
      const templates = [...expression.matchAll(/`([^`]*)`/g)].map(([, words = '']) =>
        words.replace(/\$\{[^}]*\}/g, ' '),
      );
      return [plain ?? '', ...quoted, ...templates].join(' ').split(/\s+/);
    }),
  );
}
