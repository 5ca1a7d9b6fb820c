'use strict';

module.exports = require('./http/protocol.cjs')('http:', 80);
