'use strict';

const constructible = require('./constructible.cjs');

/** As `node:crypto`, by the host's: every algorithm is OpenSSL's. */
module.exports = constructible({
  ...require('./crypto/random.cjs'),
  ...require('./crypto/digests.cjs'),
  ...require('./crypto/keys.cjs'),
  ...require('./crypto/ciphers.cjs'),
  ...require('./crypto/signatures.cjs'),
  ...require('./crypto/derivation.cjs'),
  ...require('./crypto/agreement.cjs'),
  constants: {
    RSA_PKCS1_PADDING: 1,
    RSA_NO_PADDING: 3,
    RSA_PKCS1_OAEP_PADDING: 4,
    RSA_PKCS1_PSS_PADDING: 6,
    RSA_PSS_SALTLEN_DIGEST: -1,
    RSA_PSS_SALTLEN_MAX_SIGN: -2,
    RSA_PSS_SALTLEN_AUTO: -2,
    POINT_CONVERSION_COMPRESSED: 2,
    POINT_CONVERSION_UNCOMPRESSED: 4,
    POINT_CONVERSION_HYBRID: 6,
  },
});
