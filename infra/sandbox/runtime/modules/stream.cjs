'use strict';

module.exports = require('readable-stream/lib/ours/browser.js');
