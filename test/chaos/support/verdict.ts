/** What verification found; each list holds sentences that name the thing. */
export class Verdict {
  /** Acknowledged, and not there, or not as acknowledged. */
  readonly lost: string[] = [];
  /** Took effect more than once. */
  readonly doubled: string[] = [];
  /** There in part. */
  readonly half: string[] = [];
  /** Answers that nothing of what was done to the service explains. */
  readonly wrong: string[] = [];

  get faults(): string[] {
    const named = (name: string, sentences: readonly string[]): string[] =>
      sentences.map((sentence) => `${name}: ${sentence}`);
    return [
      ...named('lost', this.lost),
      ...named('doubled', this.doubled),
      ...named('half', this.half),
      ...named('wrong', this.wrong),
    ];
  }
}
