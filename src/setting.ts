/** An environment variable, and what it stands for. */
export type Setting<Value> = {
  name: string;
  /** The default as the README shows it. */
  default: string;
  description: string;
  /** `text` is undefined when the variable is unset or empty. @throws SettingError */
  read(text: string | undefined): Value;
};

export const setting = <Value>(
  name: string,
  shownDefault: string,
  description: string,
  read: (text: string | undefined) => Value,
): Setting<Value> => ({ name, default: shownDefault, description, read });
