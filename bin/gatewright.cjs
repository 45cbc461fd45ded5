#!/usr/bin/env node
// Old syntax on purpose: this file has to run far enough on any Node to say which one is needed. On Node 20 the
// database library would not fail but crash.
'use strict';

var fs = require('fs');
var path = require('path');
var url = require('url');

var parts = process.versions.node.split('.').map(Number);
var isNewEnough = parts[0] > 22 || (parts[0] === 22 && parts[1] >= 18);

// A folder that nobody else can write to. The first of them is there already and may be the system's; the others are made.
function isOurs(folder, index) {
  if (index > 0 && !fs.existsSync(folder)) fs.mkdirSync(folder, { mode: 448 });
  var facts = fs.statSync(folder);
  var isOwn = facts.uid === process.getuid() || (index === 0 && facts.uid === 0);
  return facts.isDirectory() && isOwn && (facts.mode & 18) === 0;
}

// Node compiles the code once and keeps the result in the user's cache folder: a tenth of the time of a short command. It
// runs what it finds there, so a folder is not used that somebody else could write to. No command fails over this.
function keepCompiled() {
  var own = ['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE', 'NODE_V8_COVERAGE'];
  if (own.some(function (name) { return process.env[name]; })) return;
  try {
    var given = process.env.XDG_CACHE_HOME || '';
    var base = path.isAbsolute(given) ? given : path.join(process.env.HOME || require('os').homedir(), '.cache');
    var version = JSON.parse(fs.readFileSync(path.join(__dirname, '..', 'package.json'), 'utf8')).version;
    var shared = path.join(base, 'gatewright');
    var all = path.join(shared, 'code');
    if (![path.dirname(base), base, shared, all].every(isOurs)) return;
    // What another version left is of no use any more.
    fs.readdirSync(all).forEach(function (name) {
      if (name !== version) fs.rmSync(path.join(all, name), { recursive: true, force: true });
    });
    var folder = path.join(all, version);
    if (isOurs(folder, 4)) require('module').enableCompileCache(folder);
  } catch (_) {
    // Without the folder all is compiled as ever.
  }
}

// Only where this was tried: V8 complains about flags that it does not know.
function steerEngine(isLasting) {
  if (parts[0] !== 24) return;
  var set = require('v8').setFlagsFromString;
  // Node brings the compiled code of its own modules, and V8 takes it only as long as its flags are what they were. So
  // what nearly every command loads is loaded before.
  ['crypto', 'child_process', 'fs/promises', 'os', 'timers/promises', 'readline', 'tty', 'perf_hooks'].forEach(function (name) {
    require(name);
  });
  // Loading the graphs fills the space for new objects once; grown for that, it would stay large: a tenth of the memory,
  // for no less work.
  set('--semi-space-growth-factor=1');
  if (isLasting) {
    // What runs for days collects its garbage early instead of letting the heap grow to several times of what it needs.
    set('--heap-growing-percent=25');
    return;
  }
  // A command that runs for half a second spends a tenth of it on optimizing code that it hardly runs again. What is run
  // ten times as often as V8 waits for is optimized all the same.
  ['maglev=4000', 'maglev-osr=1000', 'turbofan=30000', 'osr=5000'].forEach(function (count) {
    set('--invocation-count-for-' + count);
  });
}

// A checkout runs its sources as they are; an installed package brings built files, one of them for what has to be quick.
function loadProgram() {
  var source = path.join(__dirname, '..', 'src', 'main.ts');
  if (fs.existsSync(source)) return import(url.pathToFileURL(source).href);
  var built = path.join(__dirname, '..', 'dist');
  var isQuick = ['status', 'completion', '--help', '-h', undefined].indexOf(process.argv[2]) >= 0;
  // To ask GitHub, or a git ref, takes the whole program.
  var asksAround = process.argv.indexOf('--fresh') >= 0 || process.env.GATEWRIGHT_LEDGER === 'ref';
  if (isQuick && !asksAround) return Promise.resolve(require(path.join(built, 'quick.cjs')));
  var isLasting = ['serve', 'watch'].indexOf(process.argv[2]) >= 0;
  steerEngine(isLasting);
  // What runs for days gains nothing.
  if (!isLasting) keepCompiled();
  return import(url.pathToFileURL(path.join(built, 'main.js')).href);
}

if (!isNewEnough) {
  process.stderr.write(
    'Gatewright needs Node.js 22.18 or newer; this is ' + process.versions.node + '.\n' +
    'Install a newer one from your package manager or nodejs.org, or run it once with:\n' +
    '  npx --package node@24 --package gatewright gatewright ' + process.argv.slice(2).join(' ') + '\n'
  );
  process.exitCode = 1;
} else if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  process.stdout.write(JSON.parse(fs.readFileSync(path.join(__dirname, '..', 'package.json'), 'utf8')).version + '\n');
} else {
  loadProgram().then(function (program) {
    return program.main(process.argv.slice(2));
  }).then(function (code) {
    process.exitCode = code;
  }, function (error) {
    // No line of it is a command for the runner of GitHub Actions (src/domain/text/break-commands.ts).
    var told = String(error && error.stack ? error.stack : error).replace(/^(\s*):(?=:)/gm, '$1\\:').replace(/##\[/g, '##\\[');
    process.stderr.write('Gatewright could not start: ' + told + '\n');
    process.exitCode = 1;
  });
}
