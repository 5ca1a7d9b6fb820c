'use strict';

/** For what packages name, and nobody can give them here: connections, processes, threads. */
module.exports = {};
