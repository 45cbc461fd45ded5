/** Lines that a runner of GitHub Actions reads as annotations; the characters that it would take for its own are escaped as it asks. */
import { escapeForLine } from '../../../../domain/text/untrusted-text.ts';

export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly file: string;
  readonly line: number;
  readonly column?: number;
  readonly title?: string;
  readonly message: string;
}

const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

export function annotationLine({ level, file, line, column, title, message }: Annotation): string {
  const where = [
    `file=${property(escapeForLine(file))}`,
    `line=${line}`,
    ...(column === undefined ? [] : [`col=${column}`]),
    ...(title === undefined ? [] : [`title=${property(escapeForLine(title))}`]),
  ];
  return `::${level} ${where.join(',')}::${data(message)}`;
}
