import Type from 'typebox';
import type { TString } from 'typebox';
import { maximumContainerLength } from '#domain/container.ts';

/** A container path, in letters of either case. */
export const containerPath = (description: string): TString =>
  Type.String({
    maxLength: maximumContainerLength,
    pattern: '^/(?:[A-Za-z0-9_-]+/)*$',
    expected: `a path that starts and ends with '/', with names of letters, digits, '-' and '_' between, such as '/pci/high/', of at most ${maximumContainerLength} characters`,
    description,
    examples: ['/pci/'],
  });
