import Type from 'typebox';
import type { TObject, TSchema } from 'typebox';

/**
 * Query parameters of lists; a query is given their defaults. Pages past the end are empty; the limit of `page`
 * keeps offsets within 64 bits.
 */
export const pageQuery = {
  page: Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1, description: 'The page, from 1.' }),
  size: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'The number of items on a page.',
  }),
};

export const Pagination = Type.Object(
  {
    total_items: Type.Integer({ description: 'All items that match, on all pages.' }),
    page_number: Type.Integer({ description: 'The page that was asked for.' }),
    page_size: Type.Integer({ description: 'The size that was asked for.' }),
    total_pages: Type.Integer(),
  },
  { $id: 'Pagination' },
);

/** The envelope of a list. spec: Pagination envelope */
export const paginated = <Item extends TSchema>(item: Item): TObject =>
  Type.Object({ pagination: Pagination, data: Type.Array(item) });
