'use strict';

module.exports = require('holdfast:timers');
