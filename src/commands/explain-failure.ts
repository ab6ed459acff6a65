import { ConfigError } from '../config.ts';
import { BackupProblem } from '../kit/db/backup/format.ts';
import { isTransient, sqlState } from '../kit/db/database-errors.ts';
import { sessionBounds, UnboundedSessions } from '../kit/db/inspect-sessions.ts';
import { MigrationRefused } from '../kit/db/migrate.ts';
import { EmbeddedPostgresError } from '../kit/embedded-postgres/errors.ts';
import { ApiError } from '../kit/http/api-error.ts';
import { printable } from '../kit/text/printable.ts';
import { CertificateProblem } from '../wallet/apple/certificates/certificate-fields.ts';
import { ServiceAccountProblem } from '../wallet/google/service-account.ts';
import { DiagnosisFailed } from './diagnose-instance.ts';

const namedProblems = [
  ApiError,
  BackupProblem,
  ConfigError,
  EmbeddedPostgresError,
  CertificateProblem,
  MigrationRefused,
  UnboundedSessions,
  ServiceAccountProblem,
  DiagnosisFailed,
] as const;

/**
 * What stopped a command, in one line that says what to change; null when the operator cannot mend it. It names
 * addresses and paths, never a password.
 */
export function explainFailure(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (namedProblems.some((problem) => error instanceof problem)) return oneLine(error.message);
  return aboutAddress(error) ?? aboutFiles(error) ?? aboutDatabase(error);
}

interface NetworkError extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}

function aboutAddress({ code, syscall, address, port, hostname }: NetworkError): string | null {
  if (syscall === 'getaddrinfo')
    return `The host name ${hostname} is not known (${code}). Check HOST and DATABASE_URL.`;
  if (syscall !== 'listen') return null;
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${address} is in use. Stop the program that uses it, or set PORT to another port.`;
    case 'EACCES':
      return `This account may not listen on port ${port}. Set PORT to 1024 or more, or grant it CAP_NET_BIND_SERVICE.`;
    case 'EMFILE':
    case 'ENFILE':
      return `Too few files may be open to listen on ${address} (${code}). Allow more: ulimit -n 4096, or LimitNOFILE of systemd.`;
    case 'EADDRNOTAVAIL':
      return `${address} is not an address of this machine. Set HOST to one that is, such as 127.0.0.1 or 0.0.0.0.`;
    default:
      return null;
  }
}

/** Failures to read or write what lies in the data directory, or a file that a setting or an argument names. */
function aboutFiles({ code = '', syscall, message }: NodeJS.ErrnoException): string | null {
  const known = ['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR', 'EISDIR', 'EEXIST'];
  if (syscall === undefined || syscall === 'connect' || !known.includes(code)) return null;
  return `${oneLine(message)}. Check the path, its permissions and the space on its disk.`;
}

function aboutDatabase(error: Error): string | null {
  // Of an address with several families each attempt has its own error, and the whole has no message.
  const cause = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  if (cause.message.startsWith('unsupported startup parameter')) return ignoredParameters;
  const isKnown = isTransient(error) || isTransient(cause) || mendableStates.test(sqlState(cause) ?? '');
  if (!isKnown && !isAboutConnecting(cause)) return null;
  return `The database cannot be used: ${oneLine(cause.message)}. Check DATABASE_URL, and that PostgreSQL runs and lets this account in.`;
}

/** The parameters that PgBouncer must ignore before it accepts a connection. */
const ignoredParameters = `PgBouncer takes no connection that asks for time-outs. Add this to its [pgbouncer] section, and see docs/SCALING.md: ignore_startup_parameters = ${Object.keys(sessionBounds).join(',')}`;

/** Class 28 authorization, 3D no such database, 42501 missing privilege, 25006 a read-only standby. */
const mendableStates = /^(28|3D|42501|25006)/;

function isAboutConnecting({ message, code, syscall }: NodeJS.ErrnoException): boolean {
  return syscall === 'connect' || /SASL|SSL|certificate|CERT/.test(`${message} ${code}`);
}

function oneLine(text: string): string {
  return printable(text.replaceAll(/\s+/g, ' ').replace(/\.$/, ''));
}
