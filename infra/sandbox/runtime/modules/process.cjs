'use strict';

module.exports = require('holdfast:process');
