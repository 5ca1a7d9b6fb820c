/** What SQL calls a text in which `*` stands for any characters, or none. */
export const likePattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&').replace(/\*+/g, '%');
