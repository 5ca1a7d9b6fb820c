/** What was found to be changed: as operators look for it. */
export type Changed = {
  /** A credential, or the category of a stream: `application`, `session`, `tenant`, `proxy`, `reactor`. */
  kind: string;
  /** The stream, or tenant and key id. */
  name: string;
  /** What is wrong with it. */
  what: 'mac' | 'no mac' | 'behind its stream';
};

/** Tells operators, in the log and the metrics, that somebody has changed what decides access. */
export type IntegrityAlarm = (changed: Changed) => void;
