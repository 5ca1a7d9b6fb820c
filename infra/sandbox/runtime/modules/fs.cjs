'use strict';

/** For libraries that name it for what nobody can give them here. */
module.exports = {};
