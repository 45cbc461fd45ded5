/** Makes one file from a process of its own, to be killed or refused meanwhile: ROOT PATH LETTER CHARACTERS. */
import { createFile } from '../../src/adapters/git/safe-files.ts';
import { isGatewrightError } from '../../src/errors.ts';

const [root = '', path = '', letter = '', characters = ''] = process.argv.slice(2);
try {
  process.stdout.write(String(await createFile(root, path, letter.repeat(Number(characters)))));
} catch (error) {
  process.stdout.write(isGatewrightError(error) ? error.code : String(error));
}
