'use strict';

const { Buffer } = require('buffer');
const { StringDecoder } = require('string_decoder');

const labels = {
  'utf-8': 'utf8',
  utf8: 'utf8',
  'unicode-1-1-utf-8': 'utf8',
  'utf-16le': 'utf16le',
  'utf-16': 'utf16le',
  latin1: 'latin1',
  'iso-8859-1': 'latin1',
  ascii: 'latin1',
  'us-ascii': 'latin1',
};
const names = { utf8: 'utf-8', utf16le: 'utf-16le', latin1: 'windows-1252' };

class TextEncoder {
  get encoding() {
    return 'utf-8';
  }

  encode(text = '') {
    const bytes = Buffer.from(String(text), 'utf8');
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  encodeInto(text, target) {
    let read = 0;
    let written = 0;
    for (const character of String(text)) {
      const bytes = Buffer.from(character, 'utf8');
      if (written + bytes.length > target.length) break;
      target.set(bytes, written);
      written += bytes.length;
      read += character.length;
    }
    return { read, written };
  }
}

class TextDecoder {
  #encoding;
  #decoder;
  #atStart = true;

  constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
    this.#encoding = labels[String(label).trim().toLowerCase()];
    if (this.#encoding === undefined) {
      throw Object.assign(new RangeError(`The "${label}" encoding is not supported`), {
        code: 'ERR_ENCODING_NOT_SUPPORTED',
      });
    }
    this.fatal = Boolean(fatal);
    this.ignoreBOM = Boolean(ignoreBOM);
  }

  get encoding() {
    return names[this.#encoding];
  }

  decode(input = new Uint8Array(0), { stream = false } = {}) {
    const bytes = ArrayBuffer.isView(input)
      ? Buffer.from(input.buffer, input.byteOffset, input.byteLength)
      : Buffer.from(input);
    if (this.fatal && !stream && this.#decoder === undefined) this.#check(bytes);
    this.#decoder ??= new StringDecoder(this.#encoding);
    let text = this.#decoder.write(bytes);
    if (!stream) text += this.#decoder.end();
    if (this.#atStart && text !== '') {
      if (!this.ignoreBOM && text[0] === '\uFEFF') text = text.slice(1);
      this.#atStart = false;
    }
    if (!stream) {
      this.#decoder = undefined;
      this.#atStart = true;
    }
    return text;
  }

  #check(bytes) {
    if (this.#encoding !== 'utf8') return;
    // What is malformed is replaced by a character of its own, so that it does not come back as it was.
    if (Buffer.compare(Buffer.from(bytes.toString('utf8'), 'utf8'), bytes) === 0) return;
    throw Object.assign(new TypeError('The encoded data was not valid for encoding utf-8'), {
      code: 'ERR_ENCODING_INVALID_ENCODED_DATA',
    });
  }
}

module.exports = { TextEncoder, TextDecoder };
