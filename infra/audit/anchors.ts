/** How far a writer's chain has come: its last entry. Sequence 0 is a chain without entries. */
export type Head = { writerId: string; sequence: number; tag: string };

/** A head that was read back: damaged when no copy of it carries a valid signature. */
export type AnchoredHead = Head | { writerId: string; damaged: true };

/** Where a writer leaves its head, outside the database. */
export interface Anchor {
  /** Replaces the head of before. */
  write(head: Head): Promise<void>;
}

/** How many writers there have been, and the tag of the last one's row in the register. */
export type RegisterHead = { count: number; tag: string };

/** Where the number of writers is signed, outside the database. */
export interface RegisterAnchor {
  /** Replaces what was signed before, unless that is more. */
  write(head: RegisterHead): Promise<void>;
  /** Undefined: nothing with a valid signature is there. */
  read(): Promise<RegisterHead | undefined>;
}

/** Keeps the heads of all writers, where whoever can change the database cannot. */
export interface Anchors {
  /** Whether heads can be kept. @throws the reason why not */
  check(): Promise<void>;
  /** A place for a writer that is new. */
  open(writerId: string): Promise<Anchor>;
  heads(): Promise<Map<string, AnchoredHead>>;
  readonly register: RegisterAnchor;
}
