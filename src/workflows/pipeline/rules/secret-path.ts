/** Files that hold secrets by their name: no agent reads or writes them. */
const secretPath =
  /(?:^|\/)\.env(?:\.|$)|(?:^|\/)id_(?:rsa|dsa|ecdsa|ed25519)$|\.(?:pem|key|p12|pfx|jks|keystore|kdbx)$/iu;

export function isSecretPath(path: string): boolean {
  return secretPath.test(path);
}
