/**
 * A private key as GnuPG 2.2 exports it, made for tests: Ed25519 and Curve25519 under the passphrase `secret`, which is
 * salted and iterated to the most bytes that the format has, 65,011,712.
 */
export const lockedKey = `-----BEGIN PGP PRIVATE KEY BLOCK-----

lIYEawPWQBYJKwYBBAHaRw8BAQdAcJHea/ShjIzVYrVkxurq25U8kz8EbNOB7gk+
dpf7FAH+BwMCBmbSWoKPwTn/FLDWZ9ZvJ/pFIXJTit87FzOEJpGVhbvnrXrotwMh
Z27sosMAJo2ROuk3h0RCeCdrhZzt2BYs03tRcdZuQ4UL/Soeb7VmmLQXU2hvcCA8
c2hvcEBleGFtcGxlLmNvbT6IkAQTFggAOBYhBNMPV+GgiXeA2qpSBVJJRJ9gl/hR
BQJrA9ZAAhsDBQsJCAcCBhUKCQgLAgQWAgMBAh4BAheAAAoJEFJJRJ9gl/hRrnUB
AKiIoUEtfJTobYil0fTMtePP/F+wv+P5IkDPyMhGdtvbAP414Atqf39wQPUec6rM
C3wMt86SLGD2yzWvqHvW/oZtBpyLBGsD1kASCisGAQQBl1UBBQEBB0CB7/y5A+Ud
2l7adgvd4Cqv4pLFOJV3JZEcIIqWOp8eNgMBCAf+BwMCL4xKMwnvbQj/w+1LV66H
kN/k0JkrqQEQ4HrhjU8VQLZj3r9XO81kmvrdxIpRsDUWH7JWPD1dDgAj3F7XvSlA
d5kVAzshcG9CZnksBwoGkoh4BBgWCAAgFiEE0w9X4aCJd4DaqlIFUklEn2CX+FEF
AmsD1kACGwwACgkQUklEn2CX+FF+ugD/ZJkepSCO8bA59oQ21fQwz6T+otaCC8BE
BGteaKaKnaoBAIynzNiyLsHpxeLepYK8+U7wEJ+WzlQRZJj7WJu2Ly4C
=iZxX
-----END PGP PRIVATE KEY BLOCK-----
`;
