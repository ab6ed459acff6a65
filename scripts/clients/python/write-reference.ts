import { pythonArgument, snakeCase } from '../../../tools/docs-site/samples/python.ts';
import type { ClientModel, Method } from '../model.ts';
import { classOf } from './write-errors.ts';
import { answerOf, argumentsOf, ownErrors } from './write-resources.ts';
import type { PythonTypes } from './write-typed-dicts.ts';

/** `REFERENCE.md`: each method with what it takes, answers and raises. */
export function referenceFile(model: ClientModel, types: PythonTypes): string {
  const parts = model.resources.map(({ name, methods }) =>
    [`## punchcard.${snakeCase(name)}`, ...methods.map((method) => section(model, types, method))].join(
      '\n\n',
    ),
  );
  return `# Reference of the Python client

Printed from the API by \`npm run docs\`. Methods of \`AsyncPunchcard\` are the same, awaited; its lists go by \`async for\`.

Arguments after the ids are given by name. Those in brackets may be left out; \`None\` is sent as null, which clears a value.
Each method also takes \`options\`: \`idempotency_key\`, \`request_id\`, \`timeout\`, \`max_retries\`. The objects are
\`TypedDict\`s in \`punchcard.types\`, with the names that the API has. Besides what is named here, any call may raise
\`InvalidRequestError\`, \`RateLimitedError\`, \`InternalError\`, \`OverloadedError\` and what concerns the key.

${parts.join('\n\n')}
`;
}

function section(model: ClientModel, types: PythonTypes, method: Method): string {
  const args = argumentsOf(model, method);
  const [required, optional] = [args.filter((one) => one.isRequired), args.filter((one) => !one.isRequired)];
  const named = (list: readonly { readonly name: string }[]) => list.map(({ name }) => pythonArgument(name));
  const given = [...named(method.pathParams), ...named(required).map((name) => `${name}=…`)].join(', ');
  const answer = answerOf(types, method, '');
  const errors = ownErrors(model, method).map((code) => `\`${classOf(code)}\``);
  return [
    `### ${snakeCase(method.name)}(${given})`,
    `${method.summary}. \`${method.httpMethod} ${method.path}\` → \`${method.page === null ? answer : `Pages[${answer}]`}\``,
    ...(method.description === '' ? [] : [method.description]),
    ...(optional.length === 0
      ? []
      : [
          `May be left out: ${named(optional)
            .map((name) => `\`${name}\``)
            .join(', ')}.`,
        ]),
    ...(errors.length === 0 ? [] : [`Raises ${errors.join(', ')}.`]),
  ].join('\n\n');
}
