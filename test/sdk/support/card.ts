/** The data of a card whose number is made for tests. */
export const card = {
  number: '4242424242424242',
  expiration_month: 12,
  expiration_year: 2030,
  cvc: '123',
};
