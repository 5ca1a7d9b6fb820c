/** What a provider can do, by the names that clients see. Source: reference of connection formulas. */
export const featureNames = [
  'three_d_secure_pass_through',
  'three_d_secure_hosted',
  'delayed_capture',
  'partial_capture',
  'partial_refunds',
  'refunds',
  'zero_auth',
  'void',
] as const;

export type FeatureName = (typeof featureNames)[number];
export type Features = Readonly<Record<FeatureName, boolean>>;
