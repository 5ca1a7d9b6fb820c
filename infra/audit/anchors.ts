/** How far a writer's chain has come: its last entry. Sequence 0 is a chain without entries. */
export type Head = { writerId: string; sequence: number; tag: string };

/** A head that was read back: damaged when no copy of it carries a valid signature. */
export type AnchoredHead = Head | { writerId: string; damaged: true };

/** Where a writer leaves its head, outside the database. */
export interface Anchor {
  /** Replaces the head of before. */
  write(head: Head): Promise<void>;
}

/** Keeps the heads of all writers, where whoever can change the database cannot. */
export interface Anchors {
  /** Whether heads can be kept. @throws the reason why not */
  check(): Promise<void>;
  /** A place for a writer that is new. */
  open(writerId: string): Promise<Anchor>;
  heads(): Promise<Map<string, AnchoredHead>>;
}
