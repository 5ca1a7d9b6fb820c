import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSandbox } from '#test/sandbox/hostile/support/sandboxes.ts';
import type { TestSandbox } from '#test/sandbox/hostile/support/sandboxes.ts';

const test = suite<{ sandbox: TestSandbox }>('packages: documents');

test.before((context) => {
  context.sandbox = startSandbox({ milliseconds: 60_000 });
});
test.after(({ sandbox }) => sandbox.close());

const run = (sandbox: TestSandbox, body: string): Promise<unknown> =>
  sandbox.rawOf(`module.exports = async () => ({ raw: await (async () => { ${body} })() });`);

test('given xmlbuilder2, when a message is written and read again, then it is the same', async ({
  sandbox,
}) => {
  const body = `
    const { create, convert } = require('xmlbuilder2');
    const xml = create({ version: '1.0' }).ele('order', { id: '1' }).ele('card').txt('4242').up().up().end({ prettyPrint: false });
    return [xml, convert(xml, { format: 'object' })]`;
  assert.equal(await run(sandbox, body), [
    '<?xml version="1.0"?><order id="1"><card>4242</card></order>',
    { order: { '@id': '1', card: '4242' } },
  ]);
});

test('given pdfkit, when a letter is written with text, a font and a picture, then its bytes are a PDF that holds them', async ({
  sandbox,
}) => {
  const body = `
    const PDFDocument = require('pdfkit');
    const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
    const letter = new PDFDocument({ compress: false, info: { Title: 'Card letter' } });
    const chunks = [];
    letter.on('data', (chunk) => chunks.push(chunk));
    const ended = new Promise((done) => letter.on('end', done));
    letter.font('Times-Roman').fontSize(20).text('Your new card').image(pixel, { width: 10 });
    letter.addPage().font('Helvetica-Bold').text('PIN');
    letter.end();
    await ended;
    const packed = new PDFDocument(); const small = []; packed.on('data', (chunk) => small.push(chunk));
    await new Promise((done) => { packed.on('end', done); packed.text('Your new card'.repeat(100)); packed.end(); });
    const pdf = Buffer.concat(chunks).toString('latin1');
    return [pdf.slice(0, 8), pdf.trim().slice(-5), pdf.match(/\\/Type \\/Page\\b/g).length, ['Times-Roman', 'Helvetica-Bold', '/Subtype /Image', 'Card letter'].map((text) => pdf.includes(text)),
      pdf.includes(Buffer.from('PIN').toString('hex')), Buffer.concat(small).toString('latin1').includes('/FlateDecode')]`;
  assert.equal(await run(sandbox, body), ['%PDF-1.3', '%%EOF', 2, [true, true, true, true], true, true]);
});

test('given pdf-lib, when a form is filled in and read again, then it holds what was filled in', async ({
  sandbox,
}) => {
  const body = `
    const { PDFDocument, StandardFonts } = require('pdf-lib');
    const made = await PDFDocument.create();
    const page = made.addPage([300, 200]);
    page.drawText('Mandate', { x: 20, y: 150, font: await made.embedFont(StandardFonts.Helvetica) });
    made.getForm().createTextField('iban').addToPage(page, { x: 20, y: 50 });
    const filled = await PDFDocument.load(await made.save());
    filled.getForm().getTextField('iban').setText('DE89370400440532013000');
    const bytes = await filled.save();
    const again = await PDFDocument.load(bytes);
    return [Buffer.from(bytes).toString('latin1', 0, 5), again.getPageCount(), again.getForm().getTextField('iban').getText()]`;
  assert.equal(await run(sandbox, body), ['%PDF-', 1, 'DE89370400440532013000']);
});

test('given exceljs, when a workbook is written and read again, then its cells are the same', async ({
  sandbox,
}) => {
  const body = `
    const ExcelJS = require('exceljs');
    const book = new ExcelJS.Workbook();
    const sheet = book.addWorksheet('Cards');
    sheet.columns = [{ header: 'Number', key: 'number' }, { header: 'Amount', key: 'amount' }];
    sheet.addRow({ number: '4242', amount: 12.5 });
    const bytes = await book.xlsx.writeBuffer();
    const again = new ExcelJS.Workbook();
    await again.xlsx.load(bytes);
    const csv = await again.csv.writeBuffer();
    return [Buffer.from(bytes).toString('latin1', 0, 2), again.getWorksheet('Cards').getRow(2).values.slice(1), Buffer.from(csv).toString()]`;
  assert.equal(await run(sandbox, body), ['PK', ['4242', 12.5], 'Number,Amount\n4242,12.5']);
});

test.run();
