/**
 * The statements of a text of SQL, without the comments between them. Knows strings, quoted names, dollar quotes and comments,
 * in which a semicolon ends nothing.
 */
export function splitStatements(text: string): string[] {
  const statements: string[] = [];
  let statement = '';
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const comment = statement === '' ? /^(?:\s+|--.*|\/\*[\s\S]*?\*\/)/.exec(rest) : null;
    const [token = ''] = comment ?? whole.exec(rest) ?? rest;
    at += token.length;
    if (comment !== null) continue;
    if (token === ';') {
      statements.push(statement.trimEnd());
      statement = '';
    } else statement += token;
  }
  return statement === '' ? statements : [...statements, statement.trimEnd()];
}

/** What is read at one go: a run of ordinary characters, or whatever may hold a semicolon. */
const whole =
  /^(?:[^;'"$\-/eE\w]+|[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(?<tag>[a-z_]\w*)?\$[\s\S]*?\$\k<tag>\$|--.*|\/\*[\s\S]*?\*\/|\w+)/i;
