/** The longest container path there may be, in characters. */
export const maximumContainerLength = 200;

const path = /^\/(?:[a-z0-9_-]+\/)*$/;

/** Container paths are compared in lower case. */
export const normalizeContainer = (container: string): string => container.toLowerCase();

/** What is wrong with a (normalised) container path, or undefined. */
export function containerFault(container: string): string | undefined {
  if (container.length > maximumContainerLength) {
    return `must be at most ${maximumContainerLength} characters long`;
  }
  if (!path.test(container)) {
    return "must start and end with '/', with names of letters, digits, '-' and '_' between, such as '/pci/high/'";
  }
  return undefined;
}
