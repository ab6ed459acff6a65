import { snakeCase } from '../../../tools/docs-site/samples/python.ts';
import type { ClientModel, NamedType, Type } from '../model.ts';
import { errorsFile } from './write-errors.ts';
import { referenceFile } from './write-reference.ts';
import { resourcesFile } from './write-resource-list.ts';
import { argumentsOf, resourceFile } from './write-resources.ts';
import { pythonTypes } from './write-typed-dicts.ts';

const folder = 'sdk/python';

/** The printed files of the Python client, by path: all but its core. */
export function printedPython(model: ClientModel): [path: string, text: string][] {
  const types = pythonTypes({ ...model, types: [...model.types, webhookEvent(model)] });
  const named = `${folder}/punchcard`;
  return [
    [`${named}/_version.py`, `"""Of the API, and so of its client."""\n\nVERSION = "${model.version}"\n`],
    [`${named}/types.py`, types.file(typesOf(model))],
    [`${named}/errors.py`, errorsFile(model, types)],
    [`${named}/resources/__init__.py`, resourcesFile(model)],
    ...model.resources.map((resource): [string, string] => [
      `${named}/resources/${snakeCase(resource.name)}.py`,
      resourceFile(model, types, resource),
    ]),
    [`${folder}/REFERENCE.md`, referenceFile(model, types)],
  ];
}

/** What calls are given and answered. Bodies and queries are arguments, and need no types of their own. */
function typesOf(model: ClientModel): Type[] {
  const methods = model.resources.flatMap((resource) => resource.methods);
  return [
    ...methods.flatMap((method) => [
      ...argumentsOf(model, method).flatMap((one) => one.types),
      ...(method.page === null ? method.answers : []).flatMap((answer) =>
        answer.kind === 'json' ? [answer.type] : [],
      ),
      ...(method.page === null ? [] : [method.page.item]),
    ]),
    ...model.errors.flatMap(({ fields }) => fields.map(({ type }) => type)),
    { kind: 'ref', name: 'WebhookEvent' },
  ];
}

/** What a webhook brings: an event, without what it is about where the webhook is a thin one. */
function webhookEvent({ types }: ClientModel): NamedType {
  const event = types.find(({ name }) => name === 'Event');
  if (event?.type.kind !== 'object') throw new Error('no event is described');
  const fields = event.type.fields.map((field) =>
    ['data', 'previous'].includes(field.name) ? { ...field, isRequired: false } : field,
  );
  return {
    name: 'WebhookEvent',
    doc: 'An event as a webhook brings it; a thin one has no `data` and no `previous`.',
    type: { ...event.type, fields },
  };
}
