/** Variables that name files and folders with the certificates of CAs that programs are to trust. */
export const certificateVariables = [
  // Node.js, and the programs that are made with it.
  'NODE_EXTRA_CA_CERTS',
  // OpenSSL, and what reads its variables: Go, Python, Ruby, Bun, curl.
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'CURL_CA_BUNDLE'],
  ...['REQUESTS_CA_BUNDLE', 'PIP_CERT', 'CARGO_HTTP_CAINFO', 'NIX_SSL_CERT_FILE'],
] as const;
