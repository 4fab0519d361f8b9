export const PAYMENTS_INV_TEXT = {
  email: 'inv_email',
  userName: 'inv_userName',
  state: 'inv_state',
  city: 'inv_city',
  postalCode: 'inv_postalCode',
  country: 'inv_country',
  addressLine: 'inv_addressLine',
} as const
