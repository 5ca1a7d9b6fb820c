'use strict';

const { parse, stringify } = require('querystring');

/** In the place of the package `qs`, which the legacy URL parser would read `a[b]=c` by, unlike Node. */
module.exports = { parse: (text) => parse(text), stringify: (value) => stringify(value) };
