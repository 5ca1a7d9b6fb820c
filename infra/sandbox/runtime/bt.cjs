'use strict';

/** `req.bt`: not there yet. */
module.exports = function createBt() {
  throw new Error('Calling the service from a reactor is not available');
};
