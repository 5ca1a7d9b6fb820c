/** Who made a record and who changed it last, as views keep it. */
export type AuthorshipRow = {
  created_by: string | null;
  created_at: Date;
  modified_by: string | null;
  modified_at: Date | null;
};

export const authorshipOf = (row: AuthorshipRow) => ({
  createdBy: row.created_by ?? undefined,
  createdAt: row.created_at.toISOString(),
  modifiedBy: row.modified_by ?? undefined,
  modifiedAt: row.modified_at?.toISOString(),
});
