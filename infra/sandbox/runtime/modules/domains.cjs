'use strict';

const options = { checkBidi: true, checkHyphens: false, checkJoiners: true, useSTD3ASCIIRules: false };

module.exports = {
  domainToASCII: (domain) =>
    require('tr46').toASCII(String(domain), { ...options, verifyDNSLength: false }) ?? '',
  domainToUnicode: (domain) => require('tr46').toUnicode(String(domain), options).domain,
};
