import Type from 'typebox';
import type { TObject, TSchema } from 'typebox';
import { mostShown } from '#queries/token/showAll.ts';

/** Which page a list shows when the request does not say. */
export const pageDefaults = { page: 1, size: 20 };

/**
 * Query parameters of lists; a query is given their defaults. Pages past the end are empty; the limit of `page`
 * keeps offsets within 64 bits.
 */
export const pageQuery = {
  page: Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    default: pageDefaults.page,
    description: 'The page, from 1.',
  }),
  size: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: pageDefaults.size,
    description: 'The number of items on a page.',
  }),
};

/** Query parameters of lists of what has names. */
export const namedQuery = {
  id: Type.Optional(Type.Array(Type.String(), { maxItems: 100, description: 'Repeat to name several.' })),
  name: Type.Optional(
    Type.String({
      maxLength: 400,
      description: '`*` stands for any characters, or none; case does not matter.',
      examples: ['*payment*'],
    }),
  ),
  ...pageQuery,
};

export const Pagination = Type.Object(
  {
    total_items: Type.Integer({
      description:
        'All items that match, on all pages. Of tokens that a filter selects: exact to 10,000, which then stands for that many or more.',
    }),
    page_number: Type.Integer({ description: 'The page that was asked for.' }),
    page_size: Type.Integer({ description: 'The size that was asked for.' }),
    total_pages: Type.Integer(),
  },
  { $id: 'Pagination' },
);

/** What lists of tokens say of themselves. */
export const tokensOfOneAnswer = `Tokens that show more than ${mostShown.toLocaleString('en-US')} characters of data together, as JSON, are 422: ask for a smaller \`size\`.`;

/** Query parameters, or members of a body, of lists that go on at a cursor. */
export const cursorQuery = {
  start: Type.Optional(
    Type.String({ maxLength: 200, description: '`next` of the answer before; absent: the beginning.' }),
  ),
  size: pageQuery.size,
};

/** The envelope of a list that goes on at a cursor. Source: reference of the second version of lists. */
export const stretched = <Item extends TSchema>(item: Item): TObject =>
  Type.Object({
    pagination: Type.Object({
      page_size: Type.Integer({ description: 'The number of items in this answer.' }),
      next: Type.Optional(Type.String({ description: 'Where to go on; absent at the end.' })),
    }),
    data: Type.Array(item),
  });

/** The envelope of a list. spec: Pagination envelope */
export const paginated = <Item extends TSchema>(item: Item): TObject =>
  Type.Object({ pagination: Pagination, data: Type.Array(item) });
