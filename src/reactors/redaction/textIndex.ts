/** A text whose parts can be looked up however many are asked for. */
export type TextIndex = {
  /** How many characters of what was asked for start at each place; the longest counts. */
  longestAt(parts: Iterable<string>): Int32Array;
};

/**
 * Indexes the text by a suffix array: a part is then found in a time that depends on its own length alone, so that
 * a thousand parts of a long log cost no thousand passes, and none that is made up to be slow is.
 */
export function indexText(text: string): TextIndex {
  const suffixes = suffixArray(text);
  return {
    longestAt: (parts) => {
      const inOrder = new Int32Array(text.length);
      const possible = [...parts].filter((part) => part !== '' && part.length <= text.length);
      // The last one written counts.
      for (const part of possible.sort((one, other) => one.length - other.length)) {
        const from = boundOf(text, suffixes, part, false);
        if (!text.startsWith(part, suffixes[from] ?? text.length)) continue;
        inOrder.fill(part.length, from, boundOf(text, suffixes, part, true));
      }
      const byPlace = new Int32Array(text.length);
      for (let index = 0; index < text.length; index++) byPlace[at(suffixes, index)] = at(inOrder, index);
      return byPlace;
    },
  };
}

/** Where in the order suffixes that start with a part begin, or where they are over. */
function boundOf(text: string, suffixes: Int32Array, part: string, over: boolean): number {
  let [low, high] = [0, suffixes.length];
  // What all in between have in common with the part need not be compared again.
  let [lowMatched, highMatched] = [0, 0];
  while (low < high) {
    const middle = (low + high) >> 1;
    const start = at(suffixes, middle);
    let matched = Math.min(lowMatched, highMatched);
    while (
      matched < part.length &&
      start + matched < text.length &&
      text.charCodeAt(start + matched) === part.charCodeAt(matched)
    ) {
      matched++;
    }
    // Behind the end of a text there is no character code, and comparing with none is false.
    const isAfter =
      matched === part.length ? !over : text.charCodeAt(start + matched) > part.charCodeAt(matched);
    if (isAfter) [high, highMatched] = [middle, matched];
    else [low, lowMatched] = [middle + 1, matched];
  }
  return low;
}

/** Where the suffixes of a text start, in their order: prefixes of doubling length, sorted by counting. */
function suffixArray(text: string): Int32Array {
  const { length } = text;
  let ranks: Int32Array = new Int32Array(length);
  let order: Int32Array = new Int32Array(length);
  let highest = 0;
  for (let index = 0; index < length; index++) {
    const rank = text.charCodeAt(index) + 1;
    ranks[index] = rank;
    order[index] = index;
    highest = Math.max(highest, rank);
  }
  order = sortedBy(ranks, order, highest);
  for (let prefix = 1; length > 0; prefix *= 2) {
    if (prefix > 1) {
      const half = prefix >> 1;
      // Sorted by the second half already: the order of before, moved to the left; those without one come first.
      const bySecond = new Int32Array(length);
      let filled = 0;
      for (let start = Math.max(length - half, 0); start < length; start++) bySecond[filled++] = start;
      for (const start of order) if (start >= half) bySecond[filled++] = start - half;
      order = sortedBy(ranks, bySecond, highest);
    }
    const { ranks: refined, count } = ranksOf(order, ranks, prefix >> 1);
    if (count === length) return order;
    [ranks, highest] = [refined, count];
  }
  return order;
}

/** Stable. Ranks begin with 1. */
function sortedBy(ranks: Int32Array, starts: Int32Array, highest: number): Int32Array {
  const ends = new Int32Array(highest + 1);
  for (const rank of ranks) ends[rank] = at(ends, rank) + 1;
  for (let rank = 1; rank <= highest; rank++) ends[rank] = at(ends, rank) + at(ends, rank - 1);
  const sorted = new Int32Array(starts.length);
  for (let index = starts.length - 1; index >= 0; index--) {
    const start = at(starts, index);
    const rank = at(ranks, start);
    const place = at(ends, rank) - 1;
    ends[rank] = place;
    sorted[place] = start;
  }
  return sorted;
}

/** Equal ones share a rank. @param half of the prefixes that are compared; 0: they are single characters */
function ranksOf(order: Int32Array, ranks: Int32Array, half: number): { ranks: Int32Array; count: number } {
  const refined = new Int32Array(order.length);
  let count = 0;
  let [lastFirst, lastSecond] = [-1, -1];
  for (const start of order) {
    const first = at(ranks, start);
    const second = half === 0 ? 0 : at(ranks, start + half);
    if (first !== lastFirst || second !== lastSecond) count++;
    refined[start] = count;
    [lastFirst, lastSecond] = [first, second];
  }
  return { ranks: refined, count };
}

/** 0 beyond the end. */
const at = (array: Int32Array, index: number): number => array[index] ?? 0;
