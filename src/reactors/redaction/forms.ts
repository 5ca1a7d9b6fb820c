/** Shorter ones give base64 that occurs anywhere. */
const shortestEncoded = 6;

/** How a text may stand in a line: as it is, and as what lies around it may have made of it. */
export function formsOf(text: string): Set<string> {
  const forms = new Set([text]);
  const escaped = JSON.stringify(text).slice(1, -1);
  forms.add(escaped);
  // Between single quotes, as objects are printed.
  forms.add(escaped.replaceAll('\\"', '"')).add(escaped.replaceAll('\\"', '"').replaceAll("'", "\\'"));
  const encoded = encodeURIComponent(text.toWellFormed());
  forms.add(encoded).add(encoded.replaceAll('%20', '+'));
  // Forms of web pages encode more.
  forms.add(new URLSearchParams({ '': text }).toString().slice(1));
  if (text.length >= shortestEncoded) for (const form of base64FormsOf(text)) forms.add(form);
  return forms;
}

/** On its own, and as what is the same of it wherever it lies in a longer text. */
function base64FormsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const forms = [bytes.toString('base64')];
  for (const before of [0, 1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
    // A character stands for 6 bits; those that hold bits of neighbours are left out.
    const from = Math.ceil((before * 8) / 6);
    forms.push(shifted.toString('base64').slice(from, Math.floor((shifted.length * 8) / 6)));
  }
  return [...forms, ...forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))];
}
