/** Loaded into the built program with --require: writes the names of the files that it loads as modules. */
'use strict';

const { appendFileSync } = require('node:fs');
const { registerHooks } = require('node:module');

registerHooks({
  load(url, context, next) {
    if (url.includes('/dist/')) appendFileSync(process.env.LOADED_MODULES, `${url}\n`);
    return next(url, context);
  },
});
