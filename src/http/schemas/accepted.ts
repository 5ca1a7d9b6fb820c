import Type from 'typebox';

/** Client libraries decode the body of every 202: without one, they report an error for what was begun. */
export const Accepted = Type.Object({}, { $id: 'Accepted', description: 'It was begun. No members.' });
