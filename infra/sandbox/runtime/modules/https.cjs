'use strict';

module.exports = require('./http/protocol.cjs')('https:', 443);
