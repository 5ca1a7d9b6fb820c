/** The envelope of a list. spec: Pagination envelope */
export function presentPage<Item>(
  page: { items: readonly Item[]; totalItems: number; page: number; size: number },
  present: (item: Item) => object,
): { pagination: object; data: object[] } {
  return {
    pagination: {
      total_items: page.totalItems,
      page_number: page.page,
      page_size: page.size,
      total_pages: Math.ceil(page.totalItems / page.size),
    },
    data: page.items.map(present),
  };
}
